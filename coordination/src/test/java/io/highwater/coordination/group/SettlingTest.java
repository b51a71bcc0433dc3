package io.highwater.coordination.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SettlingTest {
    private final Settling settling = new Settling();
    private final List<String> asked = new ArrayList<>();

    @Test
    void whereNothingIsWaitedForAQuestionIsAskedAtOnce() {
        ask("a");

        assertThat(asked).containsExactly("a");
    }

    @Test
    void questionsAreHeldUntilTheLastEndAndKeepTheirOrder() {
        settling.begin();
        settling.begin();
        ask("a");
        ask("b");
        settling.end();
        assertThat(asked).isEmpty();

        settling.end();
        ask("c");

        assertThat(asked).containsExactly("a", "b", "c");
    }

    @Test
    void aQuestionThatCannotBeAskedFailsAlone() {
        settling.begin();
        CompletableFuture<String> broken = settling.ask(() -> {
            throw new IllegalStateException("no");
        });
        ask("a");

        settling.end();

        assertThat(broken).isCompletedExceptionally();
        assertThat(asked).containsExactly("a");
    }

    @Test
    void nothingIsHeldForLongerThanTheBound() {
        settling.begin();
        CompletableFuture<String> answer = settling.ask(() -> CompletableFuture.completedFuture("a"));

        await().until(answer::isDone);

        settling.end();
        assertThatThrownBy(settling::end).isInstanceOf(IllegalStateException.class);
    }

    private void ask(String question) {
        CompletableFuture<String> unused = settling.ask(() -> {
            asked.add(question);
            return CompletableFuture.completedFuture(question);
        });
    }
}
