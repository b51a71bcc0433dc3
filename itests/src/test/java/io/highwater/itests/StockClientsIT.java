package io.highwater.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.testkit.BootstrapServers;
import io.highwater.testkit.HighwaterCluster;
import io.highwater.testkit.HighwaterTestCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the current Java clients are promised. */
@HighwaterCluster
class StockClientsIT {
    private static final int MEBIBYTE = 1 << 20;

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void recordsComeBackAsTheyWent(String codec, HighwaterTestCluster cluster, @BootstrapServers String servers) {
        String topic = "as-they-went-" + codec;
        cluster.createTopic(topic, 1);
        List<ProducerRecord<String, String>> records = new ArrayList<>();
        records.add(new ProducerRecord<>(topic, null, 1_700_000_000_000L, "key", "value"));
        records.add(new ProducerRecord<>(topic, null, 1_700_000_000_001L, (String) null, "no key"));
        records.add(new ProducerRecord<>(topic, null, 1_700_000_000_002L, "no value", (String) null));
        records.add(new ProducerRecord<>(topic, null, 1_700_000_000_003L, "", ""));
        ProducerRecord<String, String> withHeaders =
                new ProducerRecord<>(topic, null, 1_700_000_000_004L, "headers", "x".repeat(5000));
        withHeaders.headers().add("a", "1".getBytes(StandardCharsets.UTF_8)).add("a", null);
        records.add(withHeaders);

        Clients.write(servers, records, Map.of("compression.type", codec, "linger.ms", "50"));

        List<ConsumerRecord<String, String>> read = Clients.readAll(servers, topic);
        assertThat(read).hasSameSizeAs(records);
        for (int i = 0; i < records.size(); i++) {
            assertThat(read.get(i).offset()).isEqualTo(i);
            assertThat(read.get(i).key()).isEqualTo(records.get(i).key());
            assertThat(read.get(i).value()).isEqualTo(records.get(i).value());
            assertThat(read.get(i).timestamp()).isEqualTo(records.get(i).timestamp());
            assertThat(read.get(i).headers()).isEqualTo(records.get(i).headers());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "snappy", "lz4", "zstd", "uncompressed"})
    void aTopicMayHaveACodecOfItsOwn(String codec, HighwaterTestCluster cluster, @BootstrapServers String servers) {
        String topic = "own-codec-" + codec;
        cluster.createTopic(topic, 1, 1, Map.of("compression.type", codec));

        List<String> written =
                Clients.writeNumbered(servers, topic, 0, 300, Map.of("compression.type", "lz4", "linger.ms", "20"));

        assertThat(Clients.readValues(servers, topic)).isEqualTo(written);
    }

    @Test
    void aRecordOfAMebibyteFitsWhereTheTopicAllowsItAndALargerOneDoesNot(
            HighwaterTestCluster cluster, @BootstrapServers String servers) {
        cluster.createTopic("mebibyte", 1, 1, Map.of("max.message.bytes", Integer.toString(MEBIBYTE + 200)));
        Map<String, String> noLimit = Map.of("max.request.size", Integer.toString(4 * MEBIBYTE));
        String value = "m".repeat(MEBIBYTE);

        Clients.write(servers, List.of(new ProducerRecord<>("mebibyte", value)), noLimit);

        assertThat(Clients.readValues(servers, "mebibyte")).containsExactly(value);
        try (KafkaProducer<String, String> producer = Clients.producer(servers, noLimit)) {
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>("mebibyte", value + "x".repeat(200)))
                            .get())
                    .hasCauseInstanceOf(RecordTooLargeException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void aGroupSharesPartitionsAndGoesOnWhereItCommitted(
            String protocol, HighwaterTestCluster cluster, @BootstrapServers String servers) {
        String topic = "shared-" + protocol;
        cluster.createTopic(topic, 4);
        Set<String> written = new HashSet<>(Clients.writeNumbered(servers, topic, 0, 200, Map.of()));
        Map<String, String> group =
                Map.of("group.id", "sharing-" + protocol, "group.protocol", protocol, "enable.auto.commit", "false");
        Set<String> read = new HashSet<>();
        try (KafkaConsumer<String, String> one = Clients.consumer(servers, group);
                KafkaConsumer<String, String> other = Clients.consumer(servers, group)) {
            one.subscribe(List.of(topic));
            other.subscribe(List.of(topic));
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
                one.poll(Duration.ofMillis(50)).forEach(record -> read.add(record.value()));
                other.poll(Duration.ofMillis(50)).forEach(record -> read.add(record.value()));
                return one.assignment().size() == 2 && positions(one) + positions(other) == 200;
            });
            one.commitSync();
            other.commitSync();
        }
        assertThat(read).isEqualTo(written);

        List<String> more = Clients.writeNumbered(servers, topic, 200, 220, Map.of());

        List<String> readOn = new ArrayList<>();
        try (KafkaConsumer<String, String> later = Clients.consumer(servers, group)) {
            later.subscribe(List.of(topic));
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
                later.poll(Duration.ofMillis(50)).forEach(record -> readOn.add(record.value()));
                return readOn.size() >= 20;
            });
        }
        assertThat(readOn).containsExactlyInAnyOrderElementsOf(more);
    }

    /** Where a member stands, summed over the two partitions that are its share; a partition taken over is read again. */
    private static long positions(KafkaConsumer<String, String> member) {
        return member.assignment().size() == 2
                ? member.assignment().stream().mapToLong(member::position).sum()
                : 0;
    }

    @Test
    void anAdministratorMakesChangesAndUnmakesATopic(HighwaterTestCluster cluster, @BootstrapServers String servers)
            throws Exception {
        Admin admin = cluster.admin();
        String topic = "administered";
        cluster.createTopic(topic, 1, 1, Map.of("retention.ms", "3600000"));
        assertThatThrownBy(() -> cluster.createTopic(topic, 1)).hasRootCauseInstanceOf(TopicExistsException.class);

        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(3))).all().get();
        assertThat(admin.describeTopics(List.of(topic))
                        .topicNameValues()
                        .get(topic)
                        .get()
                        .partitions())
                .hasSize(3);

        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        admin.incrementalAlterConfigs(Map.of(
                        resource,
                        List.of(
                                new AlterConfigOp(
                                        new ConfigEntry("segment.bytes", "2097152"), AlterConfigOp.OpType.SET),
                                new AlterConfigOp(new ConfigEntry("retention.ms", ""), AlterConfigOp.OpType.DELETE))))
                .all()
                .get();
        Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
            var config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
            assertThat(config.get("segment.bytes").value()).isEqualTo("2097152");
            assertThat(config.get("segment.bytes").source()).isEqualTo(ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG);
            assertThat(config.get("retention.ms").value()).isEqualTo("604800000");
        });

        TopicPartition partition = new TopicPartition(topic, 0);
        Clients.write(
                servers,
                IntStream.range(0, 10)
                        .mapToObj(i -> new ProducerRecord<String, String>(topic, 0, null, "v" + i))
                        .toList(),
                Map.of());
        assertThat(admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(4)))
                        .lowWatermarks()
                        .get(partition)
                        .get()
                        .lowWatermark())
                .isEqualTo(4);
        assertThat(admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
                        .partitionResult(partition)
                        .get()
                        .offset())
                .isEqualTo(4);
        assertThat(admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                        .partitionResult(partition)
                        .get()
                        .offset())
                .isEqualTo(10);
        assertThat(admin.describeLogDirs(List.of(1)).allDescriptions().get().get(1))
                .allSatisfy((path, description) ->
                        assertThat(description.replicaInfos()).containsKey(partition));
        assertThat(admin.describeCluster().nodes().get()).hasSize(1);

        admin.deleteTopics(List.of(topic)).all().get();

        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThatThrownBy(() -> admin.describeTopics(List.of(topic))
                                .allTopicNames()
                                .get())
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(UnknownTopicOrPartitionException.class));
    }

    @Test
    @HighwaterCluster
    void recordsAndCommittedOffsetsSurviveARestart(HighwaterTestCluster cluster, @BootstrapServers String servers)
            throws Exception {
        cluster.createTopic("kept", 1);
        List<String> written = Clients.writeNumbered(servers, "kept", 0, 100, Map.of("compression.type", "zstd"));
        TopicPartition partition = new TopicPartition("kept", 0);
        try (KafkaConsumer<String, String> consumer = Clients.consumer(servers, Map.of("group.id", "keeper"))) {
            consumer.assign(List.of(partition));
            consumer.commitSync(Map.of(partition, new OffsetAndMetadata(42, "answer")));
        }

        cluster.broker(1).restart();

        assertThat(Clients.readValues(servers, "kept")).isEqualTo(written);
        assertThat(cluster.admin()
                        .listConsumerGroupOffsets("keeper")
                        .partitionsToOffsetAndMetadata()
                        .get())
                .containsEntry(partition, new OffsetAndMetadata(42, "answer"));
    }
}
