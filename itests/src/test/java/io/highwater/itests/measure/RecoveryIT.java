package io.highwater.itests.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that was killed reads what it had not flushed. It is in the page cache. */
@Tag("measure")
class RecoveryIT {
    private static final Pattern SERVES = Pattern.compile("serves after (\\d+) ms");
    private static final long MEBIBYTE = 1 << 20;
    private static final long GIBIBYTE = 1 << 30;

    @Test
    void whatWasNotFlushedIsReadAtASteadyRate(@TempDir Path directory) throws Exception {
        try (Bench bench = new Bench(directory, "")) {
            int id = bench.notTheController();
            double nothing = seconds(bench, id, 0);
            double quarter = seconds(bench, id, 256 * MEBIBYTE) - nothing;
            double threeQuarters = seconds(bench, id, 768 * MEBIBYTE) - nothing;

            System.out.printf(
                    "a start after kill -9: %.2f s with nothing to recover, %.2f s more with 256 MiB, %.2f s more with 768 MiB: %.2f and %.2f s/GiB%n",
                    nothing,
                    quarter,
                    threeQuarters,
                    quarter * GIBIBYTE / (256 * MEBIBYTE),
                    threeQuarters * GIBIBYTE / (768 * MEBIBYTE));
            assertThat(threeQuarters * GIBIBYTE / (768 * MEBIBYTE)).as("s/GiB").isLessThan(10);
            assertThat(threeQuarters)
                    .as("s, beside %s s for a third of it", quarter)
                    .isLessThan(6 * quarter + 2);
        }
    }

    /** From the beginning of its start until it serves, by its own word. In a segment that has not been rolled, nothing was flushed. */
    private static double seconds(Bench bench, int id, long bytes) throws Exception {
        String topic = "of-" + bytes;
        bench.createTopic(topic, 1, Map.of(), id);
        try (Writer writer = new Writer(bench.servers(), topic, 1, "1")) {
            writer.write(bytes);
        }
        bench.node(id).kill();
        int starts = starts(bench, id);
        bench.node(id).start();
        Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> starts(bench, id) > starts);
        Matcher serves = SERVES.matcher(bench.node(id).console());
        double seconds = 0;
        while (serves.find()) {
            seconds = Long.parseLong(serves.group(1)) / 1e3;
        }
        return seconds;
    }

    private static int starts(Bench bench, int id) {
        return (int) SERVES.matcher(bench.node(id).console()).results().count();
    }
}
