package io.highwater.broker.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.api.TestCluster;
import io.highwater.broker.partition.LeaderReport;
import io.highwater.broker.partition.ReplicaReport;
import io.highwater.controlplane.ClusterImage;
import io.highwater.replication.FollowerView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** Two brokers with two partitions, all led by broker 1. */
class WatchedPartitionsTest {
    private static final int BOTH = 2;

    private final Map<Integer, long[]> logEnds = new HashMap<>(Map.of(1, new long[] {7, 7}, 2, new long[] {7, 7}));
    private final Map<Integer, String> told = new HashMap<>();
    private ClusterImage image = image(2);
    private boolean talksNonsense;

    private final WatchedPartitions watched = new WatchedPartitions(
            () -> image,
            (now, questions) -> answer(questions),
            new TopicSettings(name -> null),
            (partition, broker) -> null,
            List.of(new PartitionName("orders", 0), new PartitionName("orders", 1)));

    @Test
    void nothingIsToldTwice() {
        List<PartitionReport> first = look(false);

        List<PartitionReport> second = look(false);

        assertThat(told).containsEntry(1, "").containsEntry(2, "");
        assertThat(second.get(0)).isSameAs(first.get(0)).returns(7L, PartitionReport::logEnd);
        assertThat(second.get(1)).isSameAs(first.get(1));
    }

    @Test
    void whatMovesIsToldByItself() {
        List<PartitionReport> before = look(false);
        ends(1)[1] = 8;

        List<PartitionReport> after = look(false);

        assertThat(told.get(1)).startsWith("1 ");
        assertThat(told.get(2)).isEmpty();
        assertThat(after.get(0)).isSameAs(before.get(0));
        assertThat(after.get(1).logEnd()).isEqualTo(8);
        assertThat(after.get(1).replicas().get(1).lagRecords()).isEqualTo(1);
    }

    @Test
    void everythingCanBeAskedForAnew() {
        List<PartitionReport> before = look(false);

        List<PartitionReport> after = look(true);

        assertThat(told.get(2)).isNotEmpty();
        assertThat(after).isEqualTo(before);
        assertThat(after.get(0)).isNotSameAs(before.get(0));
    }

    @Test
    void whatASilentBrokerHasToldIsForgotten() {
        look(false);
        long[] silent = Objects.requireNonNull(logEnds.remove(2));
        List<PartitionReport> without = look(false);
        logEnds.put(2, silent);

        List<PartitionReport> with = look(false);

        assertThat(without.get(0).replicas().get(1).known()).isFalse();
        assertThat(with.get(0).replicas().get(1)).returns(true, ReplicaState::known);
        assertThat(told.get(1)).isEmpty();
    }

    @Test
    void nonsenseIsAsGoodAsSilence() {
        look(false);
        talksNonsense = true;

        assertThat(look(false).get(0).replicas().get(1).known()).isFalse();
    }

    @Test
    void aChangeOfTheMetadataIsNewsByItself() {
        PartitionReport before = look(false).get(0);
        image = image(3);

        PartitionReport after = look(false).get(0);

        assertThat(before.assigned()).containsExactly(1, 2);
        assertThat(after.assigned()).containsExactly(1, 2, 3);
        assertThat(told.get(1)).isEmpty();
    }

    @Test
    void aPartitionThatIsGoneSaysSo() {
        look(false);
        image = ClusterImage.empty();

        PartitionReport gone = look(false).get(0);

        assertThat(gone.error()).isEqualTo("there is no partition orders-0");
        assertThat(look(false).get(0)).isSameAs(gone);
    }

    private List<PartitionReport> look(boolean anew) {
        told.clear();
        return watched.look(anew).toCompletableFuture().join();
    }

    private long[] ends(int broker) {
        return Objects.requireNonNull(logEnds.get(broker));
    }

    private CompletionStage<Map<Integer, LocalAnswer>> answer(Map<Integer, LocalQuestion> questions) {
        Map<Integer, LocalAnswer> answers = new HashMap<>();
        questions.forEach((broker, question) -> {
            if (logEnds.containsKey(broker)) {
                String replicas = talksNonsense && broker == 2 ? "7 0 " : replicas(broker, question);
                told.put(broker, replicas);
                answers.put(
                        broker,
                        new LocalAnswer(
                                broker, "cluster", replicas, List.of(), List.of(), null, List.of(), List.of(),
                                List.of(), null));
            }
        });
        return CompletableFuture.completedFuture(answers);
    }

    private String replicas(int broker, LocalQuestion question) {
        ReplicaQuestion asked = question.replicas().get(0);
        assertThat(asked.partitions()).hasSize(BOTH);
        ReplicaWriter writer = new ReplicaWriter();
        for (int i = 0; i < BOTH; i++) {
            long logEnd = ends(broker)[i];
            LeaderReport leads = broker == 1
                    ? new LeaderReport(0, List.of(1, 2), 1, List.of(new FollowerView(2, 0, 7, 0, 5)), null, List.of())
                    : null;
            ReplicaReport report = new ReplicaReport(broker == 1, 1, 0, 0, 7, 7, logEnd, leads);
            writer.add(i, asked.known(i), report, Errors.NONE);
        }
        return writer.text();
    }

    private static ClusterImage image(int replicas) {
        return ClusterImage.builder()
                .broker(TestCluster.broker(1, false, "PLAINTEXT"))
                .broker(TestCluster.broker(2, false, "PLAINTEXT"))
                .topic(
                        replicas == 2
                                ? TestCluster.topic("orders", BOTH, 1, 2)
                                : TestCluster.topic("orders", BOTH, 1, 2, 3))
                .build();
    }
}
