package io.highwater.itests;

import static io.highwater.testkit.PartitionCondition.inSyncReplicas;
import static io.highwater.testkit.PartitionCondition.leader;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import io.highwater.testkit.TestBroker;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.InvalidUpdateVersionException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The quorum of three: it outlives its leader, tells about itself, and cares for the brokers. */
@HighwaterCluster(brokers = 3, config = "leader.imbalance.check.interval.seconds=1")
class ControllersIT {
    private static final String FEATURE = "transaction.version";

    private final HighwaterTestCluster cluster;

    ControllersIT(HighwaterTestCluster cluster) {
        this.cluster = cluster;
    }

    @AfterEach
    void everybodyBack() {
        cluster.startAll();
    }

    @Test
    void anotherControllerGoesOnWhenTheActiveOneIsKilled() {
        cluster.createTopic("before", 3, 3);
        TestBroker killed = cluster.controller();

        killed.kill();

        cluster.createTopic("after", 3, 2);
        assertThat(cluster.controller().id()).isNotEqualTo(killed.id());
        Clients.writeNumbered(cluster.bootstrapServers(), "before", 0, 10, Map.of());
        Clients.writeNumbered(cluster.bootstrapServers(), "after", 0, 10, Map.of());
        killed.start();
        for (int partition = 0; partition < 3; partition++) {
            cluster.await("before", partition, inSyncReplicas(1, 2, 3));
        }
        assertThat(Clients.readValues(cluster.bootstrapServers(), "before")).hasSize(10);
    }

    @Test
    void recordsGoOnWithoutAMajorityOfControllersButNothingIsChanged() throws Exception {
        cluster.createTopic("alone", List.of(List.of(1)), Map.of());
        String servers = cluster.broker(1).address();
        Map<String, Object> hasty =
                Map.of("bootstrap.servers", servers, "default.api.timeout.ms", 1_000, "request.timeout.ms", 500);
        try (KafkaProducer<String, String> producer = Clients.producer(servers, Map.of());
                Admin admin = Admin.create(hasty)) {
            producer.send(new ProducerRecord<>("alone", "before")).get();
            cluster.broker(2).kill();
            cluster.broker(3).kill();

            producer.send(new ProducerRecord<>("alone", "meanwhile")).get();

            assertThat(Clients.readValues(servers, "alone")).containsExactly("before", "meanwhile");
            assertThatThrownBy(() -> admin.createTopics(List.of(new NewTopic("never", 1, (short) 1)))
                            .all()
                            .get())
                    .hasCauseInstanceOf(TimeoutException.class);
        }
    }

    @Test
    void leadershipReturnsToThePreferredReplicaByItself() {
        cluster.createTopic("preferred", List.of(List.of(3, 1)), Map.of());
        cluster.broker(3).stop();
        cluster.await("preferred", 0, leader(1));

        cluster.broker(3).start();

        cluster.await("preferred", 0, inSyncReplicas(1, 3).and(leader(3)));
    }

    @Test
    void theQuorumTellsWhoIsInItAndHowFarEachIs() throws Exception {
        int controller = cluster.controller().id();

        QuorumInfo quorum =
                cluster.admin().describeMetadataQuorum().quorumInfo().get();

        assertThat(quorum.leaderId()).isEqualTo(controller);
        assertThat(quorum.voters())
                .extracting(QuorumInfo.ReplicaState::replicaId)
                .containsExactlyInAnyOrder(1, 2, 3);
        assertThat(quorum.observers()).isEmpty();
        assertThat(quorum.highWatermark()).isPositive();
        assertThat(quorum.voters())
                .allSatisfy(voter -> assertThat(voter.logEndOffset()).isPositive());
    }

    @Test
    void featuresGoDownAndUp() throws Exception {
        update((short) 1, UpgradeType.SAFE_DOWNGRADE);
        await().until(() -> finalizedLevel() == 1);

        update((short) 2, UpgradeType.UPGRADE);
        await().until(() -> finalizedLevel() == 2);

        assertThatThrownBy(() -> update((short) 99, UpgradeType.UPGRADE))
                .hasCauseInstanceOf(InvalidUpdateVersionException.class);
    }

    @Test
    void aBrokerThatWasUnregisteredIsForgottenUntilItReturns() throws Exception {
        TestBroker gone = cluster.brokers().stream()
                .filter(broker -> broker != cluster.controller())
                .findFirst()
                .orElseThrow();
        gone.stop();
        cluster.awaitFenced(gone.id(), true);
        assertThat(knownBrokers()).contains(gone.id());

        cluster.admin().unregisterBroker(gone.id()).all().get();

        await().untilAsserted(() -> assertThat(knownBrokers()).hasSize(2).doesNotContain(gone.id()));
        gone.start();
        await().untilAsserted(() -> assertThat(knownBrokers()).containsExactlyInAnyOrder(1, 2, 3));
    }

    private List<Integer> knownBrokers() throws ExecutionException, InterruptedException {
        Collection<Node> nodes = cluster.admin()
                .describeCluster(new DescribeClusterOptions().includeFencedBrokers(true))
                .nodes()
                .get();
        return nodes.stream().map(Node::id).toList();
    }

    private void update(short level, UpgradeType type) throws ExecutionException, InterruptedException {
        cluster.admin()
                .updateFeatures(Map.of(FEATURE, new FeatureUpdate(level, type)), new UpdateFeaturesOptions())
                .all()
                .get();
    }

    private int finalizedLevel() throws ExecutionException, InterruptedException {
        Admin admin = cluster.admin();
        return admin.describeFeatures()
                .featureMetadata()
                .get()
                .finalizedFeatures()
                .get(FEATURE)
                .maxVersionLevel();
    }
}
