package io.highwater.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Each fault bites, seen by stock clients. */
@HighwaterCluster(brokers = 3)
class FaultsTest {
    private final HighwaterTestCluster cluster;
    private final String topic;

    FaultsTest(HighwaterTestCluster cluster, TestInfo test) {
        this.cluster = cluster;
        this.topic = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void calm() {
        cluster.endFaults();
        cluster.startAll();
    }

    @Test
    void aFailedRequestFailsAsOftenAsItShould() {
        cluster.createTopic(topic, List.of(List.of(2)), Map.of());
        Fault fault = cluster.broker(2)
                .requests(ApiKeys.PRODUCE)
                .onTopic(topic)
                .first(2)
                .fail(Errors.NOT_LEADER_OR_FOLLOWER);

        Clients.write(cluster, topic, "a");

        assertThat(fault.hits()).isEqualTo(2);
        assertThat(Clients.read(cluster, topic, 1)).containsExactly("a");
    }

    @Test
    void onlyTheNthRequestIsHit() throws Exception {
        cluster.createTopic(topic, List.of(List.of(1)), Map.of());
        Fault fault = cluster.broker(1)
                .requests(ApiKeys.PRODUCE)
                .onTopic(topic)
                .nth(2)
                .fail(Errors.INVALID_RECORD);

        try (KafkaProducer<String, String> producer = Clients.producer(cluster, Map.of())) {
            producer.send(new ProducerRecord<>(topic, "first")).get();
            Future<RecordMetadata> second = producer.send(new ProducerRecord<>(topic, "second"));
            assertThatThrownBy(second::get).hasMessageContaining("InvalidRecord");
            producer.send(new ProducerRecord<>(topic, "third")).get();
        }

        assertThat(fault.hits()).isEqualTo(1);
        assertThat(Clients.read(cluster, topic, 2)).containsExactly("first", "third");
    }

    @Test
    void aDelayedRequestTakesThatLong() {
        cluster.createTopic(topic, List.of(List.of(3)), Map.of());
        cluster.broker(3).requests(ApiKeys.PRODUCE).fromClients().delay(Duration.ofMillis(300));

        long startNanos = System.nanoTime();
        Clients.write(cluster, topic, "a");

        assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    @Test
    void aHeldRequestWaitsForItsRelease() throws Exception {
        cluster.createTopic(topic, List.of(List.of(1)), Map.of());
        HeldRequests produces =
                cluster.broker(1).requests(ApiKeys.PRODUCE).onTopic(topic).hold();

        try (KafkaProducer<String, String> producer = Clients.producer(cluster, Map.of())) {
            Future<RecordMetadata> sent = producer.send(new ProducerRecord<>(topic, "a"));
            produces.await(1);

            assertThat(sent).isNotDone();
            assertThat(cluster.state(topic, 0).logEndOffset(1)).isZero();

            produces.release();
            assertThat(sent.get().offset()).isZero();
        }
    }

    @Test
    void whatFollowsAHeldRequestOnItsConnectionStaysBehindIt() throws Exception {
        cluster.createTopic(topic, List.of(List.of(1)), Map.of());
        HeldRequests first = cluster.broker(1)
                .requests(ApiKeys.PRODUCE)
                .onTopic(topic)
                .first(1)
                .hold();

        try (KafkaProducer<String, String> producer = Clients.producer(cluster, Map.of("batch.size", 1))) {
            List<Future<RecordMetadata>> sent = List.of(
                    producer.send(new ProducerRecord<>(topic, "a")),
                    producer.send(new ProducerRecord<>(topic, "b")),
                    producer.send(new ProducerRecord<>(topic, "c")));
            first.await(1);
            assertThat(cluster.state(topic, 0).logEndOffset(1)).isZero();

            first.close();
            assertThat(sent.get(2).get().offset()).isEqualTo(2);
        }
        assertThat(Clients.read(cluster, topic, 3)).containsExactly("a", "b", "c");
    }

    @Test
    void filtersTellRequestsApart() throws Exception {
        cluster.createTopic(topic, List.of(List.of(1)), Map.of());
        cluster.createTopic(topic + "2", List.of(List.of(1)), Map.of());
        HeldRequests ofOtherTopic =
                cluster.broker(1).requests(ApiKeys.PRODUCE).onTopic(topic + "2").hold();
        HeldRequests ofOtherClient =
                cluster.broker(1).requests(ApiKeys.PRODUCE).fromClient("other").hold();
        HeldRequests ofABroker =
                cluster.broker(1).requests(ApiKeys.PRODUCE).fromBroker(2).hold();

        Clients.write(cluster, topic, "a");

        assertThat(ofOtherTopic.hits() + ofOtherClient.hits() + ofABroker.hits())
                .isZero();
        try (KafkaProducer<String, String> producer = Clients.producer(cluster, Map.of("client.id", "other"))) {
            Future<RecordMetadata> sent = producer.send(new ProducerRecord<>(topic, "b"));
            ofOtherClient.release();
            sent.get();
        }
    }

    @Test
    void requestsOfBrokersAreToldByTheirSender() {
        TestBroker controller = cluster.controller();
        TestBroker other = cluster.broker(controller.id() % 3 + 1);
        // At all brokers: on a busy machine another one may become the controller.
        List<HeldRequests> heartbeats = cluster.brokers().stream()
                .map(broker -> broker.requests(ApiKeys.BROKER_HEARTBEAT)
                        .fromBroker(other.id())
                        .hold())
                .toList();

        cluster.awaitFenced(other.id(), true);

        assertThat(heartbeats.stream().mapToInt(HeldRequests::hits).sum()).isPositive();
        assertThat(cluster.isFenced(controller.id())).isFalse();
        heartbeats.forEach(HeldRequests::close);
        cluster.awaitFenced(other.id(), false);
    }

    @Test
    void aPausedBrokerMakesNoProgressAndGoesOnWhereItWas() throws Exception {
        cluster.createTopic(topic, List.of(List.of(1), List.of(2)), Map.of());
        try (KafkaProducer<String, String> producer = Clients.producer(cluster, Map.of())) {
            producer.send(new ProducerRecord<>(topic, 0, "", "before")).get();

            cluster.broker(1).pause();
            Future<RecordMetadata> toPaused = producer.send(new ProducerRecord<>(topic, 0, "", "meanwhile"));
            producer.send(new ProducerRecord<>(topic, 1, "", "elsewhere")).get();

            assertThat(toPaused).isNotDone();
            assertThat(cluster.state(topic, 0).logEndOffset(1)).isEqualTo(1);

            cluster.broker(1).resume();
            assertThat(toPaused.get().offset()).isEqualTo(1);
        }
    }

    @Test
    void aPauseLongerThanTheSessionFences() {
        int paused = cluster.controller().id() % 3 + 1;

        cluster.broker(paused).pause();
        cluster.awaitFenced(paused, true);

        cluster.broker(paused).resume();
        cluster.awaitFenced(paused, false);
    }

    @Test
    void aPausedControllerIsReplaced() {
        TestBroker controller = cluster.controller();

        controller.pause();
        cluster.awaitFenced(controller.id(), true);

        assertThat(cluster.broker(controller.id() % 3 + 1).isPaused()).isFalse();
        controller.resume();
        cluster.awaitFenced(controller.id(), false);
    }

    @Test
    void aCutHoldsUpOneWayOnly() {
        int controller = cluster.controller().id();
        int other = controller % 3 + 1;
        int third = other % 3 + 1;

        cluster.cut(other, controller);
        cluster.awaitFenced(other, true);
        assertThat(cluster.isFenced(third)).isFalse();

        cluster.heal();
        cluster.awaitFenced(other, false);
    }

    @Test
    void aKilledBrokerLeavesWhatItHadWrittenButNoSignOfAnOrderlyStop() throws Exception {
        cluster.createTopic(topic, List.of(List.of(3)), Map.of());
        try (KafkaProducer<String, String> producer = Clients.producer(cluster, Map.of())) {
            producer.send(new ProducerRecord<>(topic, "before")).get();

            cluster.broker(3).kill();

            assertThat(cluster.broker(3).directory().resolve(".kafka_cleanshutdown"))
                    .doesNotExist();
            assertThat(cluster.broker(3).directory().resolve(topic + "-0")).isDirectory();
            Future<RecordMetadata> meanwhile = producer.send(new ProducerRecord<>(topic, "meanwhile"));
            cluster.broker(3).start();
            assertThat(meanwhile.get(60, TimeUnit.SECONDS).offset()).isEqualTo(1);
        }
    }

    @Test
    void aStoppedBrokerLeavesTheSign() {
        cluster.broker(2).stop();

        assertThat(cluster.broker(2).directory().resolve(".kafka_cleanshutdown"))
                .exists();
    }

    @Test
    void aPausedBrokerCanBeKilled() {
        cluster.broker(2).pause();

        cluster.broker(2).kill();
        cluster.broker(2).start();

        assertThat(cluster.broker(2).isPaused()).isFalse();
        cluster.awaitFenced(2, false);
    }

    @Test
    void aWipedBrokerStartsWithNothing() {
        cluster.createTopic(topic, List.of(List.of(2)), Map.of());
        Clients.write(cluster, topic, "a", "b");

        cluster.broker(2).kill();
        cluster.broker(2).wipe();
        assertThat(cluster.broker(2).directory()).doesNotExist();
        cluster.broker(2).start();

        cluster.await(topic, 0, PartitionCondition.logEndOffset(2, 0));
    }

    @Test
    void whatIsAwaitedInVainIsToldWithTheStateAndTheLastEvents() {
        cluster.createTopic(topic, List.of(List.of(1)), Map.of());

        assertThatThrownBy(() -> cluster.await(topic, 0, PartitionCondition.highWatermark(5), Duration.ofMillis(50)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("HW 5")
                .hasMessageContaining(topic + "-0: leader 1, leader epoch 0")
                .hasMessageContaining("broker 1 leads in epoch 0: log start 0, HW 0, LEO 0")
                .hasMessageContaining("broker 1  " + topic + "-0 leading");
    }
}
