package io.highwater.broker.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class IsrHistoryTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);

    private final AtomicLong now = new AtomicLong(1_000);
    private final IsrHistory history = new IsrHistory(now::get);

    @Test
    void whoWasRemovedHowOftenHowLongAndWhy() {
        history.onAsked(PARTITION, 3, "it lags");
        history.onRemoved(PARTITION, 3, "as the metadata shows it");
        now.set(1_400);
        history.onAdded(PARTITION, 3);
        now.set(2_000);
        history.onRemoved(PARTITION, 3, "the controller has fenced broker 3");
        now.set(2_050);

        assertThat(history.change(PARTITION, 3))
                .isEqualTo(new IsrChange("orders", 0, 3, 2, 450, 2_000L, "the controller has fenced broker 3", false));
    }

    @Test
    void theLeadersWordsStandBeforeWhatTheMetadataShows() {
        history.onAsked(PARTITION, 3, "it lags");
        history.onRemoved(PARTITION, 3, "as the metadata shows it");

        IsrChange change = Objects.requireNonNull(history.change(PARTITION, 3));
        assertThat(change.lastReason()).isEqualTo("it lags");
        assertThat(change.fromItsLeader()).isTrue();
    }

    @Test
    void whatTheControllerHasRefusedIsNoReasonLater() {
        history.onAsked(PARTITION, 3, "it lags");
        history.onRefused(PARTITION, 3);
        history.onRemoved(PARTITION, 3, "the controller has fenced broker 3");

        assertThat(Objects.requireNonNull(history.change(PARTITION, 3)).lastReason())
                .isEqualTo("the controller has fenced broker 3");
    }

    @Test
    void theOldestAreForgottenAtTheBound() {
        for (int i = 0; i < IsrHistory.CAPACITY + 1; i++) {
            history.onRemoved(new TopicPartition("orders", i), 3, "gone");
        }

        assertThat(history.change(PARTITION, 3)).isNull();
        assertThat(history.changes(any -> true)).hasSize(IsrHistory.CAPACITY);
    }

    @Test
    void aTopicThatIsGoneHasNoHistory() {
        history.onRemoved(PARTITION, 3, "gone");

        history.forget("orders");

        assertThat(history.changes(any -> true)).isEmpty();
    }
}
