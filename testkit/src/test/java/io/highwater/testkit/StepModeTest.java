package io.highwater.testkit;

import static io.highwater.testkit.PartitionCondition.highWatermark;
import static io.highwater.testkit.PartitionCondition.logEndOffset;
import static io.highwater.testkit.PartitionCondition.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A batch on its way to its commit, step by step, as somebody with nothing but HTTP and a stock producer sees it. */
@HighwaterCluster(
        brokers = 3,
        config = {"highwater.http.port=0", "highwater.step.enabled=true"})
class StepModeTest {
    private static final String TOPIC = "steps";

    private final HighwaterTestCluster cluster;
    private final TestBroker asked;

    StepModeTest(HighwaterTestCluster cluster) {
        this.cluster = cluster;
        this.asked = cluster.broker(2);
    }

    @AfterEach
    void end() {
        step("end");
    }

    @Test
    void aBatchOnItsWayToItsCommit() throws Exception {
        cluster.createTopic(TOPIC, List.of(List.of(1, 2, 3)), Map.of("min.insync.replicas", "2"));
        Clients.write(
                cluster,
                TOPIC,
                IntStream.range(0, 10).mapToObj(Integer::toString).toArray(String[]::new));
        cluster.await(TOPIC, 0, whole());
        step("hold?broker=1&follower=2");
        step("hold?broker=1&follower=3");

        try (KafkaProducer<String, String> producer =
                Clients.producer(cluster, Map.of("acks", "all", "linger.ms", 200))) {
            awaitHeld(2);
            awaitHeld(3);
            assertOffsets(10, 10, 10, 10); // T0

            Future<RecordMetadata> first = producer.send(new ProducerRecord<>(TOPIC, "k"));
            Future<RecordMetadata> last = producer.send(new ProducerRecord<>(TOPIC, "l"));
            cluster.await(TOPIC, 0, logEndOffset(1, 12));
            assertOffsets(12, 10, 10, 10); // T1: the leader has it

            release(2);
            cluster.await(TOPIC, 0, logEndOffset(2, 12));
            assertThat(awaitHeld(2)).as("what the next fetch will tell").isEqualTo(12);
            assertOffsets(12, 12, 10, 10); // T2: so has one follower

            release(3);
            cluster.await(TOPIC, 0, logEndOffset(3, 12));
            awaitHeld(3);
            assertOffsets(12, 12, 12, 10); // T3: all have it, but the leader does not know
            assertThat(last).isNotDone();

            release(2);
            awaitHeld(2);
            assertOffsets(12, 12, 12, 10); // T4: it knows of one

            release(3);
            cluster.await(TOPIC, 0, highWatermark(12)); // T5: of both
            assertThat(first.get().offset()).isEqualTo(10);
            assertThat(last.get().offset()).isEqualTo(11);
            assertThat(replica(2).getLong("highWatermark")).isEqualTo(10);

            step("end");
            cluster.await(TOPIC, 0, highWatermark(2, 12));
            assertThat(Http.json(asked, "/api/step").getJsonArray("holding")).isEmpty();
        }
    }

    @Test
    void aPageOfAnotherSiteHoldsNothing() {
        var request = java.net.http.HttpRequest.newBuilder(Http.uri(asked, "/api/step/hold?broker=1&follower=2"))
                .header("Origin", "http://elsewhere.example")
                .POST(java.net.http.HttpRequest.BodyPublishers.noBody())
                .build();

        assertThat(Http.send(request).statusCode()).isEqualTo(403);
        assertThat(Http.json(asked, "/api/step").getJsonArray("holding")).isEmpty();
    }

    private void release(int follower) {
        step("release?broker=1&follower=" + follower);
    }

    private void step(String command) {
        assertThat(Http.post(asked, "/api/step/" + command)).as(command).returns(200, answer -> answer.statusCode());
    }

    /** Returns when a fetch of that follower is held; what it asks for of the topic, -1 if it names nothing new. */
    private long awaitHeld(int follower) {
        JsonObject step = Http.awaitJson(
                asked,
                "/api/step",
                answer -> answer.getJsonArray("held").stream()
                        .anyMatch(held -> ((JsonObject) held).getInteger("follower") == follower));
        return Http.objects(step, "held").stream()
                .filter(held -> held.getInteger("follower") == follower)
                .flatMap(held -> Http.objects(held, "partitions").stream())
                .filter(from -> from.getString("topic").equals(TOPIC))
                .mapToLong(from -> from.getLong("fetchOffset"))
                .findFirst()
                .orElse(-1);
    }

    private JsonObject replica(int broker) {
        JsonObject partition = Http.awaitJson(
                asked,
                "/api/partitions/" + TOPIC + "/0",
                answer -> replica(answer, broker).getBoolean("known"));
        return replica(partition, broker);
    }

    private static JsonObject replica(JsonObject partition, int broker) {
        return Http.objects(partition, "replicas").stream()
                .filter(replica -> replica.getInteger("broker") == broker)
                .findFirst()
                .orElseThrow();
    }

    private void assertOffsets(long first, long second, long third, long highWatermark) {
        JsonObject partition = Http.awaitJson(
                asked,
                "/api/partitions/" + TOPIC + "/0",
                answer -> Http.objects(answer, "replicas").stream().allMatch(replica -> replica.getBoolean("known")));
        assertThat(Http.objects(partition, "replicas"))
                .as("%s", partition)
                .extracting(replica -> replica.getLong("logEnd"))
                .containsExactly(first, second, third);
        assertThat(partition.getLong("highWatermark")).isEqualTo(highWatermark);
    }
}
