package io.highwater.broker.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.api.TestCluster;
import io.highwater.broker.journal.IsrChange;
import io.highwater.broker.partition.LeaderReport;
import io.highwater.broker.partition.ReplicaReport;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import io.highwater.replication.FollowerView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PartitionMergeTest {
    private final TopicView topic = TestCluster.topic("orders", 1, 1, 2, 3);
    private final Map<Integer, LocalReplica> answers = new HashMap<>();
    private final Map<Integer, IsrChange> changes = new HashMap<>();

    @Test
    void offsetsOfTwoBrokersNeedNotBeOfTheSameMomentButLagIsNeverNegative() {
        answer(1, leading(List.of(1, 2, 3), new FollowerView(2, 0, 100, 0, 5), new FollowerView(3, 0, 100, 0, 5)));
        answer(2, following(90, 104));

        PartitionReport report = merged(false);

        assertThat(report.logEnd()).isEqualTo(100);
        assertThat(report.replicas().get(1).logEnd()).isEqualTo(104);
        assertThat(report.replicas().get(1).lagRecords()).isZero();
        assertThat(report.error()).isNull();
    }

    @Test
    void ofABrokerThatDoesNotAnswerTheLeaderTellsWhatItKnows() {
        answer(1, leading(List.of(1, 2), new FollowerView(2, 0, 100, 0, 5), new FollowerView(3, 7, 60, 4_000, 3_900)));

        ReplicaState silent = merged(false).replicas().get(2);

        assertThat(silent)
                .isEqualTo(new ReplicaState(
                        3, false, false, 7, -1, 60, false, 40, 4_000, 4_000, 3_900, "it lags by 40 records"));
    }

    @Test
    void whyAReplicaLeftAndWhatKeepsItOut() {
        answer(1, leading(List.of(1, 2), new FollowerView(2, 0, 100, 0, 5), new FollowerView(3, 7, 60, 4_000, 3_900)));
        changes.put(3, new IsrChange("orders", 0, 3, 1, 10, 5L, "it was slow", true));

        assertThat(merged(false).replicas().get(2).reason()).isEqualTo("it was slow; now: it lags by 40 records");
        assertThat(merged(true).replicas().get(2).reason())
                .isEqualTo("it was slow; now: the controller has fenced broker 3");
    }

    @Test
    void aReasonIsNotToldTwice() {
        answer(1, leading(List.of(1, 2), new FollowerView(2, 0, 100, 0, 5), new FollowerView(3, 7, 60, 4_000, 3_900)));
        changes.put(3, new IsrChange("orders", 0, 3, 1, 10, 5L, "the controller has fenced broker 3", false));

        assertThat(merged(true).replicas().get(2).reason()).isEqualTo("the controller has fenced broker 3");
    }

    @Test
    void withoutItsLeaderAPartitionSaysSo() {
        answer(2, following(90, 100));

        PartitionReport report = merged(false);

        assertThat(report.highWatermark()).isEqualTo(-1);
        assertThat(report.error()).isEqualTo("broker 1, which leads, does not answer");
        assertThat(report.replicas().get(1).highWatermark()).isEqualTo(90);
        assertThat(report.replicas().get(1).lagRecords()).isEqualTo(-1);
        assertThat(report.isr()).containsExactly(1, 2, 3);
    }

    @Test
    void theMerePassingOfTimeIsNoNews() {
        answer(1, leading(List.of(1, 2, 3), new FollowerView(2, 0, 100, 0, 5), new FollowerView(3, 0, 100, 0, 5)));
        PartitionReport before = merged(false);

        answer(1, leading(List.of(1, 2, 3), new FollowerView(2, 0, 100, 0, 505), new FollowerView(3, 0, 100, 0, 5)));
        assertThat(merged(false).isNewsAfter(before)).isFalse();

        answer(1, leading(List.of(1, 2, 3), new FollowerView(2, 0, 99, 900, 0), new FollowerView(3, 0, 100, 0, 5)));
        PartitionReport lagging = merged(false);
        answer(1, leading(List.of(1, 2, 3), new FollowerView(2, 0, 99, 999, 0), new FollowerView(3, 0, 100, 0, 5)));
        assertThat(merged(false).isNewsAfter(lagging))
                .as("a lag grows by seconds")
                .isFalse();

        answer(1, leading(List.of(1, 2, 3), new FollowerView(2, 0, 99, 1, 0), new FollowerView(3, 0, 100, 0, 5)));
        assertThat(merged(false).isNewsAfter(before)).isTrue();
    }

    private void answer(int broker, ReplicaReport report) {
        answers.put(broker, new LocalReplica(1, report, null));
    }

    private static ReplicaReport leading(List<Integer> inSync, FollowerView... followers) {
        return new ReplicaReport(
                true, 1, 5, 0, 90, 90, 100, new LeaderReport(2, inSync, 2, List.of(followers), null, List.of()));
    }

    private static ReplicaReport following(long highWatermark, long logEnd) {
        return new ReplicaReport(false, 1, 5, 0, highWatermark, highWatermark, logEnd, null);
    }

    private PartitionReport merged(boolean thirdFenced) {
        ClusterImage image = ClusterImage.builder()
                .broker(TestCluster.broker(1, false, "PLAINTEXT"))
                .broker(TestCluster.broker(2, false, "PLAINTEXT"))
                .broker(TestCluster.broker(3, thirdFenced, "PLAINTEXT"))
                .topic(topic)
                .build();
        PartitionView view = Objects.requireNonNull(topic.partition(0));
        return new PartitionMerge(view, 1, image, answers, this::change).report();
    }

    private @Nullable IsrChange change(int broker) {
        return changes.get(broker);
    }
}
