package io.highwater.broker.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SharedTest {
    private final Shared<String> shared = new Shared<>();
    private int asked;

    @Test
    void allWhoAskBeforeThereIsAnAnswerShareOneQuestion() {
        CompletableFuture<String> answer = new CompletableFuture<>();

        CompletableFuture<String> first = ask(answer);
        CompletableFuture<String> second = ask(answer);
        answer.complete("yes");

        assertThat(asked).isEqualTo(1);
        assertThat(first).isCompletedWithValue("yes");
        assertThat(second).isCompletedWithValue("yes");
        assertThat(ask(answer)).as("a moment later").isCompletedWithValue("yes");
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void aQuestionThatCannotBeAskedDoesNotLeaveTheAnswerBeforeItForEver() {
        var unused = ask(CompletableFuture.completedFuture("old"));

        Awaitility.await()
                .untilAsserted(() -> assertThatThrownBy(() -> shared.get(() -> {
                            throw new IllegalStateException("on purpose");
                        }))
                        .isInstanceOf(IllegalStateException.class));

        assertThat(ask(CompletableFuture.completedFuture("new"))).isCompletedWithValue("new");
    }

    private CompletableFuture<String> ask(CompletableFuture<String> answer) {
        return shared.get(() -> {
                    asked++;
                    return answer;
                })
                .toCompletableFuture();
    }
}
