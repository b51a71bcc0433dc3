package io.highwater.testkit;

import static io.highwater.testkit.PartitionCondition.inSyncReplicas;
import static io.highwater.testkit.PartitionCondition.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What any broker tells of the cluster over HTTP. */
@HighwaterCluster(
        brokers = 3,
        config = {"replica.lag.time.max.ms=3000", "highwater.http.port=0"})
class HttpViewTest {
    private final HighwaterTestCluster cluster;
    private final String topic;
    private final String path;

    HttpViewTest(HighwaterTestCluster cluster, TestInfo test) {
        this.cluster = cluster;
        this.topic = test.getTestMethod().orElseThrow().getName();
        this.path = "/api/partitions/" + topic + "/0";
    }

    @AfterEach
    void calm() {
        cluster.endFaults();
        cluster.startAll();
    }

    @Test
    void anyBrokerTellsOfAPartitionWhatAllOfItsBrokersKnow() {
        cluster.createTopic(topic, List.of(List.of(1, 2, 3)), Map.of("min.insync.replicas", "2"));
        Clients.write(cluster, topic, "a", "b");

        for (TestBroker asked : cluster.brokers()) {
            JsonObject partition = Http.awaitJson(
                    asked,
                    path,
                    answer -> Http.objects(answer, "replicas").stream()
                            .allMatch(replica -> replica.getLong("highWatermark") == 2));

            assertThat(partition.getInteger("leader")).isEqualTo(1);
            assertThat(partition.getLong("highWatermark")).isEqualTo(2);
            assertThat(partition.getInteger("minInsyncReplicas")).isEqualTo(2);
            assertThat(Http.objects(partition, "replicas"))
                    .extracting(replica -> replica.getInteger("broker"), replica -> replica.getBoolean("known"))
                    .containsExactly(tuple(1, true), tuple(2, true), tuple(3, true));
        }
    }

    @Test
    void aPausedFollowerIsSeenToHoldAWriteUpAndToLeaveForAReason() throws Exception {
        cluster.createTopic(topic, List.of(List.of(1, 2, 3)), Map.of());
        Clients.write(cluster, topic, "a");
        cluster.await(topic, 0, whole());

        // An idempotent one would ask any broker for its id, the paused one as well, and wait for it.
        try (KafkaProducer<String, String> producer =
                        Clients.producer(cluster, Map.of("acks", "all", "enable.idempotence", "false"));
                LiveEvents live = new LiveEvents(cluster.broker(2), "partitions=" + topic + "-0&events=1&hz=10")) {
            producer.partitionsFor(topic);
            cluster.broker(3).pause();
            Future<RecordMetadata> sent = producer.send(new ProducerRecord<>(topic, "b"));

            JsonObject waiting = live.await(
                    "partitions",
                    data -> !only(data).getJsonArray("waitingProduces").isEmpty()
                            && replica(only(data), 3).getLong("lagRecords") == 1);
            assertThat(only(waiting).getLong("highWatermark")).isEqualTo(1);
            assertThat(only(waiting).getLong("logEnd")).isEqualTo(2);
            JsonObject write = Http.objects(only(waiting), "waitingProduces").get(0);
            assertThat(write.getLong("offset")).isEqualTo(1);
            assertThat(write.getJsonArray("waitsFor")).containsExactly(3);

            sent.get();
            JsonObject out = live.await(
                    "partitions", data -> isOut(only(data), 3) && only(data).getLong("highWatermark") == 2);
            assertThat(replica(only(out), 3).getString("reason")).contains("3");

            cluster.broker(3).resume();
            live.await(
                    "partitions",
                    data -> !isOut(only(data), 3) && replica(only(data), 3).getLong("lagRecords") == 0);
        }
        JsonObject change = Http.objects(
                        Http.json(cluster.broker(2), "/api/isr-changes?partition=" + topic + "-0"), "changes")
                .get(0);
        assertThat(change.getInteger("broker")).isEqualTo(3);
        assertThat(change.getInteger("timesRemoved")).isEqualTo(1);
        assertThat(change.getLong("totalMsOut")).isPositive();
        assertThat(change.getValue("outSinceWallMs")).isNull();
    }

    @Test
    void theDeathOfABrokerIsToldWithItsCause() {
        cluster.createTopic(topic, List.of(List.of(1, 2, 3)), Map.of());
        Clients.write(cluster, topic, "a");
        cluster.await(topic, 0, whole());

        cluster.broker(3).kill();
        cluster.await(topic, 0, inSyncReplicas(1, 2));

        JsonObject partition = Http.awaitJson(cluster.broker(2), path, answer -> isOut(answer, 3));
        assertThat(replica(partition, 3).getString("reason"))
                .contains("broker 3")
                .doesNotContain("caught up and");
        assertThat(replica(partition, 3).getBoolean("known")).isFalse();
        JsonObject events = Http.awaitJson(
                cluster.broker(2),
                "/api/events?kind=ISR_UPDATED&partition=" + topic + "-0",
                answer -> !answer.getJsonArray("events").isEmpty());
        assertThat(Http.objects(events, "events").get(0).getJsonArray("removed"))
                .containsExactly(3);
        JsonObject brokers =
                Http.awaitJson(cluster.broker(1), "/api/cluster", answer -> !"RUNNING".equals(state(answer, 3)));
        assertThat(state(brokers, 1)).isEqualTo("RUNNING");
    }

    @Test
    void eventsGoOnWhereTheyWereLeft() {
        cluster.createTopic(topic, 1, 3);
        JsonObject first = Http.awaitJson(
                cluster.broker(1),
                "/api/events?partition=" + topic + "-0",
                answer -> answer.getJsonArray("events").size() == 3);

        JsonObject nothing =
                Http.json(cluster.broker(2), "/api/events?partition=" + topic + "-0&since=" + first.getString("next"));
        JsonObject one = Http.awaitJson(
                cluster.broker(2),
                "/api/events?partition=" + topic + "-0&since=1&limit=1",
                answer -> answer.getBoolean("more"));
        JsonObject rest = Http.awaitJson(
                cluster.broker(3),
                "/api/events?partition=" + topic + "-0&since=" + one.getString("next"),
                answer -> answer.getJsonArray("events").size() >= 2);

        assertThat(nothing.getJsonArray("events")).isEmpty();
        assertThat(one.getJsonArray("events")).hasSize(1);
        assertThat(rest.getJsonArray("events")).hasSize(2);
    }

    @Test
    void aStreamGoesOnWhereTheOneBeforeHasEnded() {
        cluster.createTopic(topic, 1, 3);
        JsonObject last;
        try (LiveEvents lost = new LiveEvents(cluster.broker(1), "events=1")) {
            last = lost.await("events", data -> tells(data, topic));
        }
        cluster.createTopic(topic + "-later", 1, 3);

        try (LiveEvents back = new LiveEvents(cluster.broker(2), "events=1&since=" + last.getString("next"))) {
            JsonObject missed = back.await("events", data -> tells(data, topic + "-later"));

            assertThat(Http.objects(missed, "events")).doesNotContainAnyElementsOf(Http.objects(last, "events"));
        }
        assertSaid(400, "since=x is not a number from 0 to 9223372036854775807", "/api/live?events=1&since=x");
    }

    private static boolean tells(JsonObject data, String topic) {
        return Http.objects(data, "events").stream().anyMatch(event -> topic.equals(event.getString("topic")));
    }

    @Test
    void groupsLagByWhatIsCommittedAndNotRead() {
        cluster.createTopic(topic, 1, 3);
        Clients.write(cluster, topic, "a", "b", "c");
        TopicPartition partition = new TopicPartition(topic, 0);
        Map<String, Object> settings = Map.of("bootstrap.servers", cluster.bootstrapServers(), "group.id", topic);
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.commitSync(Map.of(partition, new OffsetAndMetadata(1)), Duration.ofSeconds(30));
        }

        JsonObject groups = Http.awaitJson(
                cluster.broker(1),
                "/api/groups",
                answer -> Http.objects(answer, "groups").stream()
                        .anyMatch(group -> group.getString("id").equals(topic) && group.getLong("lag") == 2));

        JsonObject group = Http.objects(groups, "groups").stream()
                .filter(each -> each.getString("id").equals(topic))
                .findFirst()
                .orElseThrow();
        assertThat(Http.objects(group, "partitions"))
                .extracting(each -> each.getLong("committed"), each -> each.getLong("highWatermark"))
                .containsExactly(tuple(1L, 3L));
    }

    @Test
    void theLintFindsWhatLosesRecords() throws Exception {
        cluster.createTopic(topic, List.of(List.of(2)), Map.of());
        try (KafkaProducer<String, String> producer = Clients.producer(cluster, Map.of("acks", "1"))) {
            producer.send(new ProducerRecord<>(topic, "a")).get();
        }

        JsonObject lint = Http.awaitJson(
                cluster.broker(1), "/api/lint", answer -> rules(answer).contains("acks-leader"));

        assertThat(rules(lint)).containsExactly("one-copy", "acks-leader");
    }

    private List<String> rules(JsonObject lint) {
        return Http.objects(lint, "findings").stream()
                .filter(finding -> topic.equals(finding.getString("topic")))
                .map(finding -> finding.getString("rule"))
                .toList();
    }

    @Test
    void whatIsNotThereIsSaidInASentence() {
        cluster.createTopic(topic, 1, 1);

        assertSaid(404, "there is no topic nothing", "/api/partitions/nothing/0");
        assertSaid(404, "topic " + topic + " has no partition 7", "/api/partitions/" + topic + "/7");
        assertSaid(404, "there is no broker 9", "/api/events?broker=9");
        assertSaid(400, "x names no partition; one is TOPIC-NUMBER", "/api/live?partitions=x");
        assertSaid(400, "limit=0 is not a number from 1 to 2000", "/api/events?limit=0");
        assertThat(Http.post(cluster.broker(1), "/api/cluster").statusCode()).isEqualTo(405);
        assertThat(Http.send(HttpRequest.newBuilder(Http.uri(cluster.broker(1), "/api/topics/" + topic))
                                .DELETE()
                                .build())
                        .statusCode())
                .isEqualTo(405);
        assertThat(Http.post(cluster.broker(1), "/api/step/hold?broker=1&follower=2")
                        .body())
                .contains("step mode is off");
    }

    /**
     * Four of the largest are all that there is room for; what was promised and did not come gives its room back. A promise that meets a question of
     * another broker is refused itself, so there are as many as it takes.
     */
    @Test
    void questionsThatAreTooLargeTogetherAreRefused() {
        TestBroker broker = cluster.broker(1);
        HttpRequest question = HttpRequest.newBuilder(Http.uri(broker, "/api/local"))
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        List<Socket> promises = new ArrayList<>();
        try {
            Await.until(
                    () -> {
                        promises.add(promise(broker));
                        return Http.send(question).statusCode() == 503;
                    },
                    Await.PATIENCE,
                    () -> "all " + promises.size() + " promises were taken");
            assertThat(promises).hasSizeGreaterThanOrEqualTo(4);
        } finally {
            promises.forEach(HttpViewTest::close);
        }
        awaitStatus(200, question);
    }

    /** The head of a question of 4 MiB. */
    private static Socket promise(TestBroker broker) {
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.httpPort());
            socket.getOutputStream()
                    .write("POST /api/local HTTP/1.1\r\nHost: x\r\nContent-Length: 4194304\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitStatus(int status, HttpRequest request) {
        Await.until(() -> Http.send(request).statusCode() == status, Await.PATIENCE, () -> "no answer " + status);
    }

    @Test
    void aSeventeenthStreamIsRefused() {
        List<LiveEvents> open = new ArrayList<>();
        try {
            for (int i = 0; i < 16; i++) {
                open.add(new LiveEvents(cluster.broker(1), "cluster=1"));
            }
            try (LiveEvents oneMore = new LiveEvents(cluster.broker(1), "cluster=1")) {
                assertThat(oneMore.status()).isEqualTo(503);
            }
            open.get(15).await("cluster", data -> Http.objects(data, "brokers").size() == 3);
        } finally {
            open.forEach(LiveEvents::close);
        }
    }

    private void assertSaid(int status, String sentence, String of) {
        assertThat(Http.get(cluster.broker(1), of))
                .returns(status, answer -> answer.statusCode())
                .returns("{\"error\":\"" + sentence + "\"}", answer -> answer.body());
    }

    private static JsonObject only(JsonObject data) {
        return Http.objects(data, "partitions").get(0);
    }

    private static JsonObject replica(JsonObject partition, int broker) {
        return Http.objects(partition, "replicas").stream()
                .filter(replica -> replica.getInteger("broker") == broker)
                .findFirst()
                .orElseThrow();
    }

    private static boolean isOut(JsonObject partition, int broker) {
        JsonArray isr = partition.getJsonArray("isr");
        return !isr.contains(broker);
    }

    private static String state(JsonObject answer, int broker) {
        return Http.objects(answer, "brokers").stream()
                .filter(each -> each.getInteger("id") == broker)
                .findFirst()
                .orElseThrow()
                .getString("state");
    }
}
