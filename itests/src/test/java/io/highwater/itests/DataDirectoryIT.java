package io.highwater.itests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Data directories go back and forth between Highwater and the real Kafka, after an orderly stop and after a kill. */
class DataDirectoryIT {
    private static final String TOPIC = "travelling";
    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    private static final int RECORDS_PER_CODEC = 200;

    enum End {
        STOPPED,
        KILLED;

        void of(BrokerProcess broker) {
            if (this == STOPPED) {
                broker.stop();
            } else {
                broker.kill();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void kafkaOpensWhatHighwaterWroteAndHighwaterWhatKafkaAdded(End end, @TempDir Path directory) throws Exception {
        try (BrokerProcess broker = new BrokerProcess(directory)) {
            broker.startHighwater();
            List<String> written = writeInEveryCodec(broker);
            end.of(broker);

            assertThat(dump(broker.data())).contains("baseOffset: 0").doesNotContainIgnoringCase("corrupt");

            broker.startKafka();
            assertThat(Clients.readValues(broker.address(), TOPIC)).isEqualTo(written);
            written.addAll(Clients.writeNumbered(broker.address(), TOPIC, 5000, 5100, Map.of()));
            end.of(broker);

            broker.startHighwater();
            assertThat(Clients.readValues(broker.address(), TOPIC)).isEqualTo(written);
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void highwaterOpensWhatKafkaWrote(End end, @TempDir Path directory) {
        try (BrokerProcess broker = new BrokerProcess(directory)) {
            broker.formatWithKafka();
            broker.startKafka();
            List<String> written = writeInEveryCodec(broker);
            end.of(broker);

            broker.startHighwater();
            assertThat(Clients.readValues(broker.address(), TOPIC)).isEqualTo(written);
            written.addAll(Clients.writeNumbered(broker.address(), TOPIC, 5000, 5100, Map.of()));
            assertThat(Clients.readValues(broker.address(), TOPIC)).isEqualTo(written);
        }
    }

    /** Small batches and a small index interval, so that there is something in every index. */
    private static List<String> writeInEveryCodec(BrokerProcess broker) {
        broker.createTopic(TOPIC, Map.of("index.interval.bytes", "200"));
        List<String> written = new ArrayList<>();
        int from = 0;
        for (String codec : CODECS) {
            Map<String, String> settings = Map.of("compression.type", codec, "batch.size", "300");
            written.addAll(Clients.writeNumbered(broker.address(), TOPIC, from, from + RECORDS_PER_CODEC, settings));
            from += RECORDS_PER_CODEC;
        }
        return written;
    }

    private static String dump(Path data) throws IOException {
        String logs;
        try (Stream<Path> files = Files.list(data.resolve(TOPIC + "-0"))) {
            logs = files.map(Path::toString)
                    .filter(one -> one.endsWith(".log") || one.endsWith(".index") || one.endsWith(".timeindex"))
                    .collect(Collectors.joining(","));
        }
        return KafkaReference.tool("org.apache.kafka.tools.DumpLogSegments", "--deep-iteration", "--files", logs);
    }
}
