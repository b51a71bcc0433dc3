package io.highwater.broker.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.api.TestCluster;
import io.highwater.broker.journal.IsrHistory;
import io.highwater.broker.journal.Journal;
import io.highwater.broker.journal.JournalEntry;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ImageChange;
import io.highwater.controlplane.PartitionChange;
import io.highwater.controlplane.PartitionView;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class IsrWatchTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    private static final Uuid TOPIC = new Uuid(7, 7);

    private final Journal journal = new Journal(() -> 5);
    private final IsrHistory history = new IsrHistory(() -> 5);
    private final IsrWatch watch = new IsrWatch(1, journal, history);

    @Test
    void whatTheControllerDoesToADeadBrokerIsAnEventOfTheLeader() {
        watch.onChange(change(true, partition(1, List.of(1, 2, 3), 4), partition(1, List.of(1, 2), 5)));

        assertThat(journal.newest(Journal.CAPACITY, any -> true))
                .singleElement()
                .returns(
                        "The controller changed the ISR from 1,2,3 to 1,2, partition epoch 5:"
                                + " the controller has fenced broker 3",
                        JournalEntry::text)
                .returns(List.of(3), JournalEntry::removed);
        assertThat(reason()).isEqualTo("the controller has fenced broker 3");
    }

    @Test
    void whatTheLeaderAskedForItTellsItself() {
        history.onAsked(PARTITION, 3, "it lags");

        watch.onChange(change(false, partition(1, List.of(1, 2, 3), 4), partition(1, List.of(1, 2), 5)));

        assertThat(journal.newest(Journal.CAPACITY, any -> true)).isEmpty();
        assertThat(reason()).isEqualTo("it lags");
    }

    @Test
    void aNewLeaderTellsWhoIsMissingSinceItsPredecessor() {
        watch.onChange(change(true, partition(3, List.of(1, 2, 3), 4), partition(1, List.of(1, 2), 5)));

        assertThat(journal.newest(Journal.CAPACITY, any -> true)).hasSize(1);
    }

    @Test
    void othersOnlyRemember() {
        watch.onChange(change(false, partition(2, List.of(1, 2, 3), 4), partition(2, List.of(1, 2), 5)));

        assertThat(journal.newest(Journal.CAPACITY, any -> true)).isEmpty();
        assertThat(reason()).isEqualTo("broker 2, which leads, asked to go on without broker 3");
    }

    private String reason() {
        return Objects.requireNonNull(
                Objects.requireNonNull(history.change(PARTITION, 3)).lastReason());
    }

    private static PartitionView partition(int leader, List<Integer> inSync, int epoch) {
        return new PartitionView(
                "orders",
                TOPIC,
                0,
                leader,
                5,
                epoch,
                List.of(1, 2, 3),
                inSync,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Collections.nCopies(3, Uuid.ONE_UUID),
                false);
    }

    private static ImageChange change(boolean thirdFenced, PartitionView before, PartitionView after) {
        ClusterImage image = ClusterImage.builder()
                .broker(TestCluster.broker(1, false, "PLAINTEXT"))
                .broker(TestCluster.broker(2, false, "PLAINTEXT"))
                .broker(TestCluster.broker(3, thirdFenced, "PLAINTEXT"))
                .build();
        return new ImageChange(
                ClusterImage.empty(),
                image,
                List.of(),
                List.of(new PartitionChange(before, after)),
                Set.of(),
                Set.of(),
                false,
                false);
    }
}
