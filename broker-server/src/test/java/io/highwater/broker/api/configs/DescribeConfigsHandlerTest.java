package io.highwater.broker.api.configs;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.api.FakeControlPlane;
import io.highwater.broker.api.Requests;
import io.highwater.broker.api.TestCluster;
import io.highwater.broker.config.LiveConfig;
import io.highwater.controlplane.ClusterImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.junit.jupiter.api.Test;

class DescribeConfigsHandlerTest {
    private static final ConfigResource BROKERS = new ConfigResource(ConfigResource.Type.BROKER, "");
    private static final ConfigResource BROKER = new ConfigResource(ConfigResource.Type.BROKER, "1");
    private static final ConfigResource TOPIC = new ConfigResource(ConfigResource.Type.TOPIC, "t1");

    /** As the node was started whose answers are in the resources beside this class. */
    private final LiveConfig config = TestCluster.config(Map.of(
            "listener.security.protocol.map", "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL",
            "offsets.topic.replication.factor", "1",
            "transaction.state.log.replication.factor", "1",
            "transaction.state.log.min.isr", "1",
            "share.coordinator.state.topic.replication.factor", "1",
            "share.coordinator.state.topic.min.isr", "1"));

    /** The system does better than Kafka's defaults. */
    private static final String OUR_DEFAULTS = "socket\\.(send|receive)\\.buffer\\.bytes=.*";

    private final FakeControlPlane controlPlane = new FakeControlPlane(ClusterImage.builder()
            .topic(TestCluster.topic("t1", 1, 1))
            .config(TOPIC, Map.of("retention.ms", "7200000", "segment.bytes", "1048576"))
            .build());

    private final DescribeConfigsHandler handler = new DescribeConfigsHandler(new ConfigsNeeds(config, controlPlane));

    DescribeConfigsHandlerTest() {
        config.applyDynamic(Map.of("min.insync.replicas", "1"), Map.of());
    }

    @Test
    void aTopicLooksAsOnKafka() throws IOException {
        assertThat(lines(describe(TOPIC))).containsExactlyElementsOf(recorded("topic"));
    }

    @Test
    void aBrokerLooksAsOnKafkaButForOurOwnSettingsAndDefaults() throws IOException {
        List<String> ofKafka = recorded("broker").stream()
                .filter(line -> !line.matches(OUR_DEFAULTS))
                .toList();

        List<String> told = lines(describe(BROKER));

        assertThat(told)
                .filteredOn(line -> !line.startsWith("highwater.") && !line.matches(OUR_DEFAULTS))
                .containsExactlyElementsOf(ofKafka);
        assertThat(told)
                .filteredOn(line -> line.matches(OUR_DEFAULTS))
                .hasSize(2)
                .allMatch(line -> line.contains("=-1 "));
    }

    @Test
    void aGroupLooksAsOnKafka() throws IOException {
        assertThat(lines(describe(new ConfigResource(ConfigResource.Type.GROUP, "g"))))
                .containsExactlyElementsOf(recorded("group"));
    }

    @Test
    void theStrongestSourceComesFirstAndTheRestBehindIt() {
        config.applyDynamic(
                Map.of("message.max.bytes", "3000000", "log.retention.ms", "100000000"),
                Map.of("message.max.bytes", "2000000", "log.retention.ms", "-5"));

        assertThat(lines(describe(TOPIC)))
                .contains(
                        "max.message.bytes=2000000 src=DYNAMIC_BROKER_CONFIG type=INT ro=false sens=false"
                                + " syn=[DYNAMIC_BROKER_CONFIG:message.max.bytes=2000000"
                                + " DYNAMIC_DEFAULT_BROKER_CONFIG:message.max.bytes=3000000"
                                + " DEFAULT_CONFIG:message.max.bytes=1048588]",
                        "retention.ms=7200000 src=DYNAMIC_TOPIC_CONFIG type=LONG ro=false sens=false"
                                + " syn=[DYNAMIC_TOPIC_CONFIG:retention.ms=7200000"
                                + " DYNAMIC_BROKER_CONFIG:log.retention.ms=-5"
                                + " DYNAMIC_DEFAULT_BROKER_CONFIG:log.retention.ms=100000000"
                                + " DEFAULT_CONFIG:log.retention.hours=168]");
    }

    @Test
    void whatNobodyKnowsMightBeASecret() {
        config.applyDynamic(Map.of(), Map.of("no.such", "hunter2", "listener.name.x.ssl.keystore.password", "hunter2"));

        assertThat(lines(describe(BROKER)))
                .contains(
                        "no.such=null src=DYNAMIC_BROKER_CONFIG type=UNKNOWN ro=true sens=true"
                                + " syn=[DYNAMIC_BROKER_CONFIG:no.such=null]",
                        "listener.name.x.ssl.keystore.password=null src=DYNAMIC_BROKER_CONFIG type=PASSWORD ro=true"
                                + " sens=true syn=[DYNAMIC_BROKER_CONFIG:listener.name.x.ssl.keystore.password=null]")
                .noneMatch(line -> line.contains("hunter2"));
    }

    @Test
    void theDefaultOfAllBrokersShowsOnlyWhatIsSetForAll() {
        assertThat(lines(describe(BROKERS)))
                .containsExactly("min.insync.replicas=1 src=DYNAMIC_DEFAULT_BROKER_CONFIG type=INT ro=false sens=false"
                        + " syn=[DYNAMIC_DEFAULT_BROKER_CONFIG:min.insync.replicas=1]");
    }

    @Test
    void aRateIsShownOnlyWhereItIsSet() {
        assertThat(lines(describe(BROKER))).noneMatch(line -> line.startsWith("leader.replication.throttled.rate"));

        config.applyDynamic(Map.of(), Map.of("leader.replication.throttled.rate", "10"));

        assertThat(lines(describe(BROKER)))
                .contains("leader.replication.throttled.rate=10 src=DYNAMIC_BROKER_CONFIG type=LONG ro=false sens=false"
                        + " syn=[DYNAMIC_BROKER_CONFIG:leader.replication.throttled.rate=10]");
    }

    @Test
    void onlyTheSettingsAskedForAreTold() {
        DescribeConfigsResult result = describe(TOPIC, "retention.ms", "no.such");

        assertThat(lines(result)).singleElement().asString().startsWith("retention.ms=7200000 ");
    }

    @Test
    void loggersAreTheSettingsOfABrokerLogger() {
        assertThat(lines(describe(new ConfigResource(ConfigResource.Type.BROKER_LOGGER, "1"), "root")))
                .singleElement()
                .asString()
                .startsWith("root=")
                .contains("src=DYNAMIC_BROKER_LOGGER_CONFIG type=UNKNOWN");
    }

    @Test
    void eachResourceThatCannotBeShownSaysWhy() {
        assertThat(describe(new ConfigResource(ConfigResource.Type.TOPIC, "nope"))
                        .errorCode())
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        assertThat(describe(new ConfigResource(ConfigResource.Type.TOPIC, "a b"))
                        .errorCode())
                .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION.code());
        assertThat(describe(new ConfigResource(ConfigResource.Type.BROKER, "7")).errorCode())
                .isEqualTo(Errors.INVALID_REQUEST.code());
        assertThat(describe(new ConfigResource(ConfigResource.Type.BROKER, "x")).errorCode())
                .isEqualTo(Errors.INVALID_REQUEST.code());
        assertThat(describe(new ConfigResource(ConfigResource.Type.GROUP, "")).errorCode())
                .isEqualTo(Errors.INVALID_REQUEST.code());
        assertThat(describe(new ConfigResource(ConfigResource.Type.UNKNOWN, "x"))
                        .errorCode())
                .isEqualTo(Errors.INVALID_REQUEST.code());
    }

    @Test
    void whatCannotBeParsedHereIsShownAsItIs() {
        ConfigResource metrics = new ConfigResource(ConfigResource.Type.CLIENT_METRICS, "m");
        controlPlane.image = ClusterImage.builder()
                .config(metrics, Map.of("interval.ms", "soon"))
                .build();

        assertThat(lines(describe(metrics)))
                .contains("interval.ms=soon src=DYNAMIC_CLIENT_METRICS_CONFIG type=INT ro=false sens=false"
                        + " syn=[DYNAMIC_CLIENT_METRICS_CONFIG:interval.ms=soon]");
    }

    @Test
    void documentationOfTopicsIsKafkasOwn() {
        DescribeConfigsResourceResult retention =
                describe(TOPIC, "retention.ms").configs().get(0);

        assertThat(retention.documentation()).isNotBlank();
    }

    private DescribeConfigsResult describe(ConfigResource resource, String... keys) {
        DescribeConfigsRequestData body = new DescribeConfigsRequestData()
                .setIncludeSynonyms(true)
                .setIncludeDocumentation(true)
                .setResources(List.of(new DescribeConfigsResource()
                        .setResourceType(resource.type().id())
                        .setResourceName(resource.name())
                        .setConfigurationKeys(keys.length == 0 ? null : List.of(keys))));
        DescribeConfigsResponseData answer =
                (DescribeConfigsResponseData) handler.handle(Requests.request(ApiKeys.DESCRIBE_CONFIGS, 4, body), body)
                        .result();
        return answer.results().get(0);
    }

    private static List<String> lines(DescribeConfigsResult result) {
        return result.configs().stream()
                .map(DescribeConfigsHandlerTest::line)
                .sorted()
                .toList();
    }

    private static String line(DescribeConfigsResourceResult entry) {
        String synonyms = entry.synonyms().stream()
                .map(synonym -> source(synonym.source()) + ":" + synonym.name() + "=" + synonym.value())
                .collect(Collectors.joining(" "));
        return entry.name() + "=" + entry.value() + " src=" + source(entry.configSource()) + " type="
                + ConfigType.forId(entry.configType()) + " ro=" + entry.readOnly() + " sens=" + entry.isSensitive()
                + " syn=[" + synonyms + "]";
    }

    /** The name that the admin client gives it. */
    private static ConfigEntry.ConfigSource source(byte id) {
        return switch (ConfigSource.forId(id)) {
            case TOPIC_CONFIG -> ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG;
            case GROUP_CONFIG -> ConfigEntry.ConfigSource.DYNAMIC_GROUP_CONFIG;
            case CLIENT_METRICS_CONFIG -> ConfigEntry.ConfigSource.DYNAMIC_CLIENT_METRICS_CONFIG;
            default -> ConfigEntry.ConfigSource.valueOf(ConfigSource.forId(id).name());
        };
    }

    private static List<String> recorded(String what) throws IOException {
        try (InputStream in = DescribeConfigsHandlerTest.class.getResourceAsStream("kafka-4.4.0-" + what + ".txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .sorted()
                    .toList();
        }
    }
}
