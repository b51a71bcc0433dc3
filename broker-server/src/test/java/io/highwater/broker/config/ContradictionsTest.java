package io.highwater.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ContradictionsTest {
    private static final Map<String, String> COMBINED = Map.of(
            "process.roles", "broker,controller",
            "node.id", "1",
            "listeners", "PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093",
            "controller.listener.names", "CONTROLLER",
            "controller.quorum.voters", "1@127.0.0.1:9093");

    @ParameterizedTest(name = "{0} in {1}")
    @MethodSource("refused")
    void isRefused(String setting, String changes, String sentence) {
        assertThatThrownBy(() -> BrokerConfig.of(combinedWith(changes)))
                .isInstanceOfSatisfying(
                        InvalidSettingException.class,
                        refusal -> assertThat(refusal.setting()).isEqualTo(setting))
                .hasMessageContaining(sentence);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                arguments("process.roles", "process.roles", "process.roles is missing"),
                arguments("process.roles", "process.roles=", "process.roles is empty"),
                arguments("process.roles", "process.roles=broker,zoo", "allowed is list, broker, controller"),
                arguments("process.roles", "process.roles=broker,broker", "names broker twice"),
                arguments("node.id", "node.id", "node.id is missing"),
                arguments("node.id", "node.id=-1", "node.id=-1 is not allowed; allowed is int, 0 or more"),
                arguments("broker.id", "broker.id=2", "is another than node.id=1"),
                arguments("num.partitions", "num.partitions=many", "num.partitions=many is not a value of type int"),
                arguments("log.segment.bytes", "log.segment.bytes=100", "1048576 or more"),
                arguments("compression.gzip.level", "compression.gzip.level=0", "1 to 9, or -1"),
                arguments("log.cleanup.policy", "log.cleanup.policy=delete,burn", "compact, delete"),
                arguments("controller.quorum.voters", "controller.quorum.voters", "where the controllers are"),
                arguments("controller.quorum.voters", "controller.quorum.voters=127.0.0.1:1", "ID@HOST:PORT"),
                arguments("controller.quorum.voters", "controller.quorum.voters=2@127.0.0.1:1", "not this controller"),
                arguments("highwater.http.token", "highwater.http.token=", "is empty"),
                arguments("highwater.http.token", "highwater.http.token=p\u00e4ss", "visible ones of ASCII"),
                arguments("highwater.http.token", "highwater.http.token=a b", "visible ones of ASCII"),
                arguments(
                        "controller.quorum.voters",
                        "process.roles=broker;listeners=PLAINTEXT://127.0.0.1:9092",
                        "a broker only"),
                arguments(
                        "controller.listener.names",
                        "controller.listener.names",
                        "controller.listener.names is missing"),
                arguments(
                        "controller.listener.names",
                        "controller.listener.names=;listeners=PLAINTEXT://h:1",
                        "controller.listener.names is empty"),
                arguments(
                        "controller.listener.names", "controller.listener.names=CONTROLLER,OTHER", "has OTHER, which"),
                arguments(
                        "controller.listener.names",
                        "process.roles=broker;controller.quorum.voters=2@127.0.0.1:9093",
                        "must not be in listeners"),
                arguments(
                        "controller.listener.names",
                        "process.roles=broker;controller.quorum.voters=2@127.0.0.1:9093;listeners=PLAINTEXT://:1;"
                                + "listener.security.protocol.map=PLAINTEXT:PLAINTEXT",
                        "names no security protocol"),
                arguments("listeners", "process.roles=controller", "only a controller"),
                arguments(
                        "listeners", "listeners=PLAINTEXT://127.0.0.1,CONTROLLER://127.0.0.1:9093", "NAME://HOST:PORT"),
                arguments("listeners", "listeners=PLAINTEXT://:99999,CONTROLLER://:9093", "a port is 0 to 65535"),
                arguments("listeners", "listeners=PLAINTEXT://:9093,CONTROLLER://:9093", "two listeners on port 9093"),
                arguments(
                        "listeners",
                        "listeners=PLAINTEXT://:1,PLAINTEXT://:2,CONTROLLER://:3",
                        "with the name PLAINTEXT"),
                arguments("listeners", "listeners=CLIENTS://:1,CONTROLLER://:9093", "names no security protocol"),
                arguments(
                        "listeners",
                        "listeners=SSL://:1,PLAINTEXT://:2,CONTROLLER://:9093;"
                                + "listener.security.protocol.map=SSL:SSL,PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                        "PLAINTEXT only"),
                arguments("advertised.listeners", "listeners=CONTROLLER://127.0.0.1:9093", "no listener for clients"),
                arguments("advertised.listeners", "advertised.listeners=SSL://h:1,PLAINTEXT://h:2", "has SSL, which"),
                arguments("advertised.listeners", "advertised.listeners=PLAINTEXT://0.0.0.0:1", "can connect to"),
                arguments(
                        "advertised.listeners", "listeners=PLAINTEXT://0.0.0.0:1,CONTROLLER://:9093", "can connect to"),
                arguments(
                        "advertised.listeners",
                        "advertised.listeners=PLAINTEXT://h:1,CONTROLLER://0.0.0.0:9093",
                        "of the listener CONTROLLER"),
                arguments("inter.broker.listener.name", "inter.broker.listener.name=INTERNAL", "is not among"),
                arguments(
                        "inter.broker.listener.name",
                        "inter.broker.listener.name=PLAINTEXT;security.inter.broker.protocol=PLAINTEXT",
                        "set one"),
                arguments(
                        "listener.security.protocol.map",
                        "listener.security.protocol.map=PLAINTEXT:CLEAR",
                        "allowed is PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL"),
                arguments("authorizer.class.name", "authorizer.class.name=a.b.C", "has no authorizer"),
                arguments("queued.max.request.bytes", "queued.max.request.bytes=10", "less than one request"),
                arguments("max.connections.per.ip", "max.connections.per.ip=0", "lets nobody in"),
                arguments("max.connections.per.ip.overrides", "max.connections.per.ip.overrides=host", "HOST:COUNT"),
                arguments(
                        "connection.failed.authentication.delay.ms",
                        "connections.max.idle.ms=100",
                        "must be less than"),
                arguments("log.retention.ms", "log.retention.hours=0", "-1 for ever"),
                arguments("segment.ms", "log.roll.ms=0", "1 or more"),
                arguments("log.dirs", "log.dirs=", "log.dirs is empty"),
                arguments("log.dirs", "log.dirs=/a,/a", "names /a twice"),
                arguments("log.cleaner.dedupe.buffer.size", "log.cleaner.threads=128", "more than 1 MiB"),
                arguments("replica.fetch.wait.max.ms", "replica.lag.time.max.ms=100", "must not be more than"),
                arguments(
                        "group.coordinator.rebalance.protocols",
                        "group.coordinator.rebalance.protocols=consumer",
                        "classic"),
                arguments("group.min.session.timeout.ms", "group.min.session.timeout.ms=9000000", "must not be more"),
                arguments(
                        "group.consumer.session.timeout.ms", "group.consumer.session.timeout.ms=70000", "must not be"),
                arguments(
                        "config.providers",
                        "config.providers=x;config.providers.x.class=no.Such;broker.rack=${x:a:b}",
                        "no.Such"));
    }

    @Test
    void theSmallestCombinedNodeIsFine() {
        BrokerConfig config = BrokerConfig.of(combinedWith(""));

        assertThat(config.quorumVoters()).containsExactly(Map.entry(1, "127.0.0.1:9093"));
        assertThat(config.getInt("broker.id")).isEqualTo(1);
    }

    @Test
    void twoAddressFamiliesMayShareAPort() {
        BrokerConfig config = BrokerConfig.of(combinedWith("listeners=PLAINTEXT://127.0.0.1:9092,V6://[::1]:9092,"
                + "CONTROLLER://127.0.0.1:9093;listener.security.protocol.map=PLAINTEXT:PLAINTEXT,V6:PLAINTEXT,"
                + "CONTROLLER:PLAINTEXT"));

        assertThat(config.brokerListeners()).hasToString("[PLAINTEXT://127.0.0.1:9092, V6://[::1]:9092]");
    }

    @Test
    void aValueMayComeFromTheEnvironment() {
        BrokerConfig config = BrokerConfig.of(combinedWith("config.providers=env;config.providers.env.class="
                + "org.apache.kafka.common.config.provider.EnvVarConfigProvider;broker.rack=${env:PATH}"));

        assertThat(config.rack()).isEqualTo(System.getenv("PATH"));
        assertThat(config.warnings()).isEmpty();
    }

    /** The smallest node with {@code name=value} pairs put over it; a name alone takes its setting away. */
    static Map<String, String> combinedWith(String changes) {
        Map<String, String> settings = new HashMap<>(COMBINED);
        settings.put("log.dirs", "/var/lib/highwater");
        for (String change : changes.split(";", -1)) {
            String[] nameAndValue = change.split("=", 2);
            if (nameAndValue.length == 2) {
                settings.put(nameAndValue[0], nameAndValue[1]);
            } else {
                settings.remove(nameAndValue[0]);
            }
        }
        return settings;
    }
}
