package io.highwater.broker.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.highwater.broker.journal.IsrHistory;
import io.highwater.broker.journal.Journal;
import io.highwater.broker.journal.JournalEntry;
import io.highwater.broker.journal.JournalEntry.Kind;
import io.highwater.broker.metrics.ReplicaMetrics;
import io.highwater.controlplane.InSyncReplicasAnswer;
import io.highwater.replication.FollowerStep;
import io.highwater.replication.FollowerView;
import io.highwater.replication.InSyncReplicasProposal;
import io.highwater.replication.InSyncReplicasProposal.Cause;
import io.highwater.replication.InSyncReplicasProposal.Member;
import io.highwater.replication.ReplicaSettings;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** One event each, with its numbers. */
class PartitionChronicleTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    private static final ReplicaSettings SETTINGS = new ReplicaSettings(2, 30_000, 500);

    private final Journal journal = new Journal(() -> 0);
    private final PartitionChronicle chronicle =
            new PartitionChronicle(journal, new IsrHistory(() -> 0), new ReplicaMetrics());

    @Test
    void aShrinkIsAskedForAndAgreedTo() {
        InSyncReplicasProposal proposal = new InSyncReplicasProposal(
                7,
                3,
                List.of(new Member(1, -1)),
                Cause.LAGGING,
                List.of(new FollowerView(2, 0, 90, 30_500, 400)),
                100,
                90);

        chronicle.onProposed(PARTITION, proposal, SETTINGS);
        chronicle.onAnswered(
                PARTITION, proposal, new InSyncReplicasAnswer(Errors.NONE, 1, 7, 4, List.of(1), false), SETTINGS);

        assertThat(journal.newest(Journal.CAPACITY, any -> true))
                .extracting(JournalEntry::kind, JournalEntry::leaderEpoch, JournalEntry::text)
                .containsExactly(
                        tuple(
                                Kind.ISR_SHRINKING,
                                7,
                                "Shrinking ISR from 1,2 to 1: follower 2 last fetched 400 ms ago at offset 90, last"
                                        + " caught up 30500 ms ago, leader end 100, high watermark 90, limit 30000 ms"),
                        tuple(
                                Kind.ISR_UPDATED,
                                7,
                                "ISR updated to 1 and partition epoch to 4; fewer than min.insync.replicas=2:"
                                        + " acks=all is refused"));
    }

    @Test
    void aTruncationAndAFenceSayWhy() {
        chronicle.onCut(PARTITION, 2, new FollowerStep(FollowerStep.Kind.TRUNCATE, 995), 1_000, "epoch 3 ended there");
        chronicle.onCut(
                PARTITION, 2, new FollowerStep(FollowerStep.Kind.RESTART, 5_000), 995, "the leader starts behind it");
        chronicle.onFenced(PARTITION, 2, 8);

        assertThat(journal.newest(Journal.CAPACITY, any -> true))
                .extracting(JournalEntry::kind, JournalEntry::text)
                .containsExactly(
                        tuple(
                                Kind.TRUNCATED,
                                "Truncated its log to offset 995 (it had ended at 1000), following broker 2:"
                                        + " epoch 3 ended there"),
                        tuple(
                                Kind.RESTARTED,
                                "Dropped its log and starts anew at offset 5000 (it had ended at 995), following"
                                        + " broker 2: the leader starts behind it"),
                        tuple(Kind.FENCED, "Broker 2 says that epoch 8 is over; it waits for the controller"));
    }
}
