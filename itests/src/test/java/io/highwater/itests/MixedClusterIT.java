package io.highwater.itests;

import static io.highwater.itests.MixedCluster.Kind.HIGHWATER;
import static io.highwater.itests.MixedCluster.Kind.KAFKA;
import static io.highwater.itests.MixedCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Highwater brokers and those of the real Kafka follow and lead each other, under a controller of either kind. */
class MixedClusterIT {
    private static final String THEIRS = "led-by-kafka";
    private static final String OURS = "led-by-highwater";
    private static final int KAFKA_LEADER = 2;
    private static final int HIGHWATER_LEADER = 3;
    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    private static final String LOST = "never acknowledged by all ";

    private final Map<String, List<String>> acknowledged = Map.of(THEIRS, new ArrayList<>(), OURS, new ArrayList<>());

    @ParameterizedTest
    @EnumSource
    void whatIsAcknowledgedStaysWhoeverLeads(MixedCluster.Kind controller, @TempDir Path directory) throws Exception {
        boolean ours = controller == HIGHWATER;
        List<MixedCluster.Kind> kinds = List.of(controller, KAFKA, HIGHWATER, ours ? KAFKA : HIGHWATER);
        try (MixedCluster cluster = new MixedCluster(directory, kinds)) {
            cluster.createTopic(THEIRS, ours ? List.of(2, 1, 3) : List.of(2, 3, 4));
            cluster.createTopic(OURS, ours ? List.of(3, 2, 4) : List.of(3, 1, 2));
            writeInEveryCodec(cluster, 40);
            bothAreWhole(cluster);

            dieWithATail(cluster, THEIRS);
            dieWithATail(cluster, OURS);
            cluster.start(KAFKA_LEADER);
            cluster.start(HIGHWATER_LEADER);
            writeInEveryCodec(cluster, 10);
            bothAreWhole(cluster);

            groupsTravel(cluster, ours ? List.of(2, 3, 1) : List.of(2, 4, 1));
            leaveInOrderUnderLoad(cluster, ours ? THEIRS : OURS);
            bothAreRead(cluster);
        }
    }

    private void writeInEveryCodec(MixedCluster cluster, int records) {
        acknowledged.forEach((topic, values) -> {
            for (String codec : CODECS) {
                values.addAll(Clients.writeNumbered(
                        cluster.servers(),
                        topic,
                        values.size(),
                        values.size() + records,
                        Map.of("compression.type", codec, "batch.size", "300")));
            }
        });
    }

    private void bothAreWhole(MixedCluster cluster) {
        acknowledged.keySet().forEach(cluster::awaitAlike);
        bothAreRead(cluster);
    }

    private void bothAreRead(MixedCluster cluster) {
        acknowledged.forEach((topic, values) -> assertThat(Clients.readValues(cluster.servers(), topic))
                .doesNotContain(LOST + 2)
                .filteredOn(value -> !value.startsWith(LOST))
                .isEqualTo(values));
    }

    /** The leader is killed when it alone has the last records; a follower takes over, and these are gone. */
    private static void dieWithATail(MixedCluster cluster, String topic) throws Exception {
        int leader = cluster.leader(topic);
        List<NodeProcess> followers = cluster.replicas(topic).stream()
                .filter(id -> id != leader)
                .map(cluster::process)
                .filter(NodeProcess::isRunning)
                .toList();
        followers.forEach(NodeProcess::pause);
        // A fetch that is under way may carry the first of them to a follower, but not the last.
        try (KafkaProducer<String, String> producer =
                Clients.producer(cluster.address(leader), Map.of("acks", "1", "enable.idempotence", "false"))) {
            for (int i = 0; i < 3; i++) {
                producer.send(new ProducerRecord<>(topic, LOST + i)).get();
            }
        }
        cluster.process(leader).kill();
        followers.forEach(NodeProcess::resume);
        cluster.awaitLeaderOtherThan(topic, leader);
    }

    /** The preferred leader asks a controller of the other kind for leave while a producer writes, which notices nothing. */
    private void leaveInOrderUnderLoad(MixedCluster cluster, String topic) throws Exception {
        cluster.preferredLeads(topic);
        int leader = cluster.leader(topic);
        AtomicBoolean enough = new AtomicBoolean();
        List<String> values = acknowledged.get(topic);
        Background<List<String>> written = new Background<>(() -> writeUntil(cluster, topic, values.size(), enough));
        cluster.process(leader).stop();
        cluster.awaitLeaderOtherThan(topic, leader);
        enough.set(true);
        values.addAll(written.result());
    }

    private static List<String> writeUntil(MixedCluster cluster, String topic, int from, AtomicBoolean enough) {
        List<String> written = new ArrayList<>();
        while (!enough.get()) {
            int next = from + written.size();
            written.addAll(Clients.writeNumbered(cluster.servers(), topic, next, next + 20, Map.of()));
        }
        return written;
    }

    /** Groups of both protocols keep their members and offsets while the partition that holds them moves from one kind of broker to the other. */
    private static void groupsTravel(MixedCluster cluster, List<Integer> coordinators) throws Exception {
        String topic = "groups";
        cluster.createTopic(topic, List.of(2, 3, 1));
        try (Member classic = new Member(cluster.servers(), GroupProtocol.CLASSIC, "classic", topic);
                Member modern = new Member(cluster.servers(), GroupProtocol.CONSUMER, "consumer", topic)) {
            List<String> written = new ArrayList<>();
            Set<String> members = Set.of();
            for (int coordinator : coordinators) {
                if (!members.isEmpty()) {
                    List<Integer> there = new ArrayList<>(List.of(coordinator));
                    coordinators.stream().filter(id -> id != coordinator).forEach(there::add);
                    cluster.move("__consumer_offsets", there);
                }

                written.addAll(
                        Clients.writeNumbered(cluster.servers(), topic, written.size(), written.size() + 10, Map.of()));

                eventually().untilAsserted(() -> {
                    assertThat(classic.values()).isEqualTo(written);
                    assertThat(modern.values()).isEqualTo(written);
                });
                Set<String> now = members(cluster);
                assertThat(now).hasSize(2);
                if (!members.isEmpty()) {
                    assertThat(now).isEqualTo(members);
                }
                members = now;
            }
        }
    }

    private static Set<String> members(MixedCluster cluster) throws ExecutionException, InterruptedException {
        return cluster.admin().describeConsumerGroups(List.of("classic", "consumer")).all().get().values().stream()
                .map(MixedClusterIT::inWords)
                .collect(Collectors.toSet());
    }

    private static String inWords(ConsumerGroupDescription group) {
        return group.groupId() + " in epoch " + group.groupEpoch() + " with "
                + group.members().stream()
                        .map(member -> member.consumerId() + " " + member.memberEpoch() + " "
                                + member.assignment().topicPartitions())
                        .toList();
    }
}
