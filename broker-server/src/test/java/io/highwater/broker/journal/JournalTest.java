package io.highwater.broker.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.journal.JournalEntry.Kind;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class JournalTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);

    private final Journal journal = new Journal(() -> 77);

    @Test
    void keepsTheNewestEventsInOrder() {
        for (int i = 0; i < Journal.CAPACITY + 2; i++) {
            journal.add(Kind.LEADING, PARTITION, i, "event " + i);
        }

        assertThat(journal.count()).isEqualTo(Journal.CAPACITY + 2);
        assertThat(journal.newest(Journal.CAPACITY + 1, any -> true))
                .hasSize(Journal.CAPACITY)
                .first()
                .satisfies(oldest -> assertThat(oldest.number()).isEqualTo(2));
    }

    @Test
    void givesWhatIsNewSinceTheLastLook() {
        journal.add(Kind.LEADING, PARTITION, 4, "leads");
        long seen = journal.count();
        journal.add(Kind.ISR_SHRINKING, PARTITION, 4, "shrinks");

        assertThat(journal.since(seen, 10, any -> true))
                .containsExactly(
                        new JournalEntry(1, 77, Kind.ISR_SHRINKING, PARTITION, 4, "shrinks", List.of(), List.of()));
    }

    @Test
    void atTheLimitTheOldestSinceAPlaceOrTheNewestOfThoseThatCount() {
        for (int epoch = 0; epoch < 6; epoch++) {
            journal.add(epoch % 2 == 0 ? Kind.LEADING : Kind.FENCED, PARTITION, epoch, "");
        }

        assertThat(journal.since(1, 2, entry -> entry.kind() == Kind.LEADING))
                .extracting(JournalEntry::leaderEpoch)
                .containsExactly(2, 4);
        assertThat(journal.newest(2, entry -> entry.kind() == Kind.FENCED))
                .extracting(JournalEntry::leaderEpoch)
                .containsExactly(3, 5);
    }
}
