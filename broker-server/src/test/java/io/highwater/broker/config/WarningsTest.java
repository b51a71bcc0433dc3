package io.highwater.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WarningsTest {
    private static final String THREE_VOTERS = "controller.quorum.voters=1@h:9093,2@h:9094,3@h:9095";

    @ParameterizedTest(name = "{0}")
    @MethodSource("warned")
    void isAllowedWithAWord(String changes, String sentence) {
        BrokerConfig config = BrokerConfig.of(ContradictionsTest.combinedWith(changes));

        assertThat(config.warnings()).anySatisfy(warning -> assertThat(warning).contains(sentence));
    }

    static Stream<Arguments> warned() {
        return Stream.of(
                arguments("log.retention.hour=1", "there is no such setting, did you mean log.retention.hours?"),
                arguments("socket.recieve.buffer.bytes=1", "did you mean socket.receive.buffer.bytes?"),
                arguments("com.example.unheard.of=1", "com.example.unheard.of is ignored; there is no such setting"),
                arguments("zookeeper.connect=h:2181", "Kafka 4 no longer has this setting"),
                arguments("num.io.threads=8", "without effect in Highwater: num.io.threads"),
                arguments("unclean.leader.election.enable=true", "are lost"),
                arguments("default.replication.factor=3", "when a single replica holds the record"),
                arguments("min.insync.replicas=2", "acks=all waits for no more copies"),
                arguments(
                        THREE_VOTERS + ";offsets.topic.replication.factor=1",
                        "committed offsets are lost with one node"),
                arguments(THREE_VOTERS, "default.replication.factor=1 in a cluster of several nodes"),
                arguments("log.dirs=/tmp/kafka-logs", "empty /tmp"),
                arguments("message.max.bytes=209715200", "is more than a request may have"),
                arguments("broker.session.timeout.ms=3000", "one late heartbeat"),
                arguments("controller.quorum.voters=1@h:9093,2@h:9094", "no more losses than with 1"),
                arguments("highwater.step.enabled=true", "never in production"));
    }

    @Test
    void namesForListenersAndPluginsAreNoTypingErrors() {
        String settings = "listener.name.plaintext.max.connections=9;"
                + "listener.name.x.plain.sasl.jaas.config=y;"
                + "super.users=User:a;rsm.config.bucket=b;highwater.http.port=1";
        BrokerConfig config = BrokerConfig.of(ContradictionsTest.combinedWith(settings));

        assertThat(config.warnings())
                .containsExactly("set, but without effect in Highwater: listener.name.x.plain.sasl.jaas.config");
    }

    @Test
    void whatHoldsWithoutAFileIsWorthNoWarning() throws java.io.IOException {
        // Wherever the build runs: the default directory is relative to it, and one below /tmp is worth a warning.
        java.util.Map<String, String> elsewhere = java.util.Map.of("log.dirs", "/var/lib/highwater");

        assertThat(BrokerConfig.load(null, elsewhere).warnings()).isEmpty();
    }
}
