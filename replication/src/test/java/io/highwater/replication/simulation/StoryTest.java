package io.highwater.replication.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The stories in {@code src/test/resources/stories}, told again: every line that is indented there is what happens. {@code
 * -Dstories.rewrite=true} writes them anew, for the eyes of whoever changed a rule.
 */
class StoryTest {
    private static final Path STORIES = Path.of("src", "test", "resources", "stories");

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "life-of-a-batch",
                "sleepy-follower",
                "dead-leader",
                "isolated-leader",
                "dead-disk",
                "kip-101-loss",
                "kip-101-divergence",
                "kip-279-fast-failover",
                "dead-follower"
            })
    void happensAsItIsTold(String name) throws IOException {
        Path file = STORIES.resolve(name + ".txt");

        String told = Story.tell(Files.readAllLines(file));

        if (Boolean.getBoolean("stories.rewrite")) {
            Files.writeString(file, told);
        }
        assertThat(told).isEqualTo(Files.readString(file));
    }
}
