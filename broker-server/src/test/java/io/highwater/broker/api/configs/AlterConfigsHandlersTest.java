package io.highwater.broker.api.configs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.highwater.broker.api.FakeControlPlane;
import io.highwater.broker.api.Requests;
import io.highwater.broker.api.TestCluster;
import io.highwater.broker.api.cluster.Forwarding;
import io.highwater.broker.config.LiveConfig;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ImageChange;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class AlterConfigsHandlersTest {
    private static final ConfigResource BROKER = new ConfigResource(ConfigResource.Type.BROKER, "1");
    private static final ConfigResource BROKERS = new ConfigResource(ConfigResource.Type.BROKER, "");

    private final LiveConfig config = TestCluster.config(Map.of());
    private final FakeControlPlane controlPlane = new FakeControlPlane(ClusterImage.builder()
            .config(BROKER, Map.of("log.cleanup.policy", "compact"))
            .build());
    private final ConfigsNeeds needs = new ConfigsNeeds(config, controlPlane);
    private final IncrementalAlterConfigsHandler handler =
            new IncrementalAlterConfigsHandler(needs, new Forwarding(controlPlane));

    @ParameterizedTest(name = "{1} {2}={3} of {0}: {4}")
    @MethodSource("refusedHere")
    void aBadChangeOfABrokerIsRefusedBeforeTheControllerIsAsked(
            String broker, OpType operation, String name, @Nullable String value, Errors error, String message) {
        AlterConfigsResourceResponse result =
                alter(request(change(ConfigResource.Type.BROKER, broker, operation, name, value)));

        assertThat(Errors.forCode(result.errorCode())).isEqualTo(error);
        assertThat(result.errorMessage()).contains(message);
        assertThat(controlPlane.forwarded).isEmpty();
    }

    static Stream<Arguments> refusedHere() {
        OpType set = OpType.SET;
        Errors request = Errors.INVALID_REQUEST;
        return Stream.of(
                arguments("1", set, "node.id", "3", request, "Cannot update these configs dynamically: [node.id]"),
                arguments(
                        "1",
                        set,
                        "log.retention.ms",
                        "abc",
                        request,
                        "log.retention.ms=abc is not a value of type long"),
                arguments("1", set, "log.cleanup.policy", "burn", request, "compact, delete"),
                arguments("", set, "listeners", "PLAINTEXT://:1", request, "broker id must be specified: [listeners]"),
                arguments("7", set, "log.retention.ms", "5", request, "this is broker 1, not 7"),
                arguments("x", set, "log.retention.ms", "5", request, "is an integer"),
                arguments("1", set, "ssl.keystore.location", "/x", request, "only per-listener"),
                arguments(
                        "", set, "listener.name.x.ssl.keystore.location", "/x", request, "broker id must be specified"),
                arguments("1", set, "max.connections.per.ip", "0", request, "lets nobody in"),
                arguments("1", OpType.APPEND, "log.retention.ms", "5", Errors.INVALID_CONFIG, "append is not allowed"),
                arguments("1", OpType.SUBTRACT, "no.such", "5", Errors.INVALID_CONFIG, "Unknown config name: no.such"),
                arguments("1", set, "log.retention.ms", null, request, "Null value not supported"));
    }

    @ParameterizedTest(name = "{1} {2}={3}: {4}")
    @MethodSource("refusedOfOthers")
    void aBadChangeOfAGroupOrSubscriptionIsRefusedToo(
            ConfigResource.Type type, String resource, String name, String value, Errors error, String message) {
        AlterConfigsResourceResponse result = alter(request(change(type, resource, OpType.SET, name, value)));

        assertThat(Errors.forCode(result.errorCode())).isEqualTo(error);
        assertThat(result.errorMessage()).contains(message);
        assertThat(controlPlane.forwarded).isEmpty();
    }

    static Stream<Arguments> refusedOfOthers() {
        ConfigResource.Type group = ConfigResource.Type.GROUP;
        ConfigResource.Type metrics = ConfigResource.Type.CLIENT_METRICS;
        Errors config = Errors.INVALID_CONFIG;
        Errors request = Errors.INVALID_REQUEST;
        return Stream.of(
                arguments(group, "g", "no.such", "1", config, "Unknown group config name: no.such"),
                arguments(group, "g", "consumer.session.timeout.ms", "x", config, "not a value of type int"),
                arguments(
                        group,
                        "g",
                        "consumer.session.timeout.ms",
                        "1",
                        config,
                        "in the range 45000 to 60000 inclusive"),
                arguments(group, "g", "streams.num.standby.replicas", "9", config, "in the range 0 to 2 inclusive"),
                arguments(group, "g", "share.isolation.level", "loose", config, "read_committed, read_uncommitted"),
                arguments(metrics, "m", "no.such", "1", request, "Unknown client metrics configuration: no.such"),
                arguments(metrics, "", "interval.ms", "1000", request, "name can't be empty"),
                arguments(metrics, "m", "interval.ms", "x", config, "not a value of type int"),
                arguments(metrics, "m", "interval.ms", "1", request, "between 100 and 3600000"),
                arguments(metrics, "m", "match", "client_id", config, "Illegal client matching pattern: client_id"),
                arguments(metrics, "m", "match", "shoe_size=9", config, "Illegal client matching pattern"),
                arguments(metrics, "m", "match", "client_id=[", config, "Illegal client matching pattern"),
                arguments(ConfigResource.Type.UNKNOWN, "x", "a", "1", request, "cannot be changed"));
    }

    @Test
    void aHeartbeatMustComeMoreOftenThanTheSessionEnds() {
        LiveConfig wide = TestCluster.config(Map.of("group.consumer.max.heartbeat.interval.ms", "60000"));
        IncrementalAlterConfigsRequestData body =
                request(change(ConfigResource.Type.GROUP, "g", OpType.SET, "consumer.heartbeat.interval.ms", "50000"));

        IncrementalAlterConfigsResponseData answer = (IncrementalAlterConfigsResponseData)
                new IncrementalAlterConfigsHandler(new ConfigsNeeds(wide, controlPlane), new Forwarding(controlPlane))
                        .handle(Requests.request(ApiKeys.INCREMENTAL_ALTER_CONFIGS, 1, body), body)
                        .result();

        assertThat(answer.responses().get(0).errorMessage()).contains("must be greater than");
    }

    @Test
    void aGoodChangeGoesToTheControllerWhoseVerdictIsTold() {
        controllerSays(ConfigResource.Type.BROKER, "1", Errors.POLICY_VIOLATION, "no");

        AlterConfigsResourceResponse result =
                alter(request(change(ConfigResource.Type.BROKER, "1", OpType.APPEND, "log.cleanup.policy", "delete")));

        assertThat(controlPlane.forwarded).hasSize(1);
        assertThat(Errors.forCode(result.errorCode())).isEqualTo(Errors.POLICY_VIOLATION);
        assertThat(result.errorMessage()).isEqualTo("no");
    }

    @Test
    void aRequestIsSplitBetweenBrokerAndController() {
        controllerSays(ConfigResource.Type.TOPIC, "t", Errors.NONE, null);
        IncrementalAlterConfigsRequestData body = request(
                change(ConfigResource.Type.BROKER, "1", OpType.SET, "node.id", "3"),
                change(ConfigResource.Type.TOPIC, "t", OpType.SET, "retention.ms", "1"));

        IncrementalAlterConfigsResponseData answer = answer(body);

        assertThat(((IncrementalAlterConfigsRequestData) controlPlane.forwarded.get(0)).resources())
                .singleElement()
                .extracting(AlterConfigsResource::resourceName)
                .isEqualTo("t");
        assertThat(answer.responses())
                .extracting(AlterConfigsResourceResponse::errorCode)
                .containsExactly(Errors.INVALID_REQUEST.code(), Errors.NONE.code());
    }

    @Test
    void aSettingNamedTwiceIsRefused() {
        AlterConfigsResource resource = change(ConfigResource.Type.TOPIC, "t", OpType.SET, "retention.ms", "1");
        resource.configs()
                .mustAdd(new AlterableConfig()
                        .setName("retention.ms")
                        .setConfigOperation(OpType.DELETE.id())
                        .setValue(null));

        AlterConfigsResourceResponse result = alter(request(resource));

        assertThat(Errors.forCode(result.errorCode())).isEqualTo(Errors.INVALID_REQUEST);
        assertThat(controlPlane.forwarded).isEmpty();
    }

    @Test
    void anOperationThatDoesNotExistIsRefused() {
        AlterConfigsResource resource = change(ConfigResource.Type.TOPIC, "t", OpType.SET, "retention.ms", "1");
        resource.configs().iterator().next().setConfigOperation((byte) 9);

        assertThat(alter(request(resource)).errorMessage()).contains("no operation of type 9");
    }

    @Test
    void theLevelOfALoggerChangesHereAndNow() {
        Logger logger = LoggerFactory.getLogger("io.highwater.test.levels");
        String name = logger.getName();

        AlterConfigsResourceResponse result =
                alter(request(change(ConfigResource.Type.BROKER_LOGGER, "1", OpType.SET, name, "ERROR")));

        assertThat(result.errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(logger.isWarnEnabled()).isFalse();

        alter(request(change(ConfigResource.Type.BROKER_LOGGER, "1", OpType.DELETE, name, null)));

        assertThat(logger.isWarnEnabled()).isTrue();
    }

    @Test
    void aLoggerThatDoesNotExistOrALevelThatDoesNotIsRefused() {
        assertThat(alter(request(change(ConfigResource.Type.BROKER_LOGGER, "1", OpType.SET, "no.such", "INFO")))
                        .errorMessage())
                .contains("there is no logger no.such");
        assertThat(alter(request(change(ConfigResource.Type.BROKER_LOGGER, "1", OpType.SET, "root", "LOUD")))
                        .errorMessage())
                .contains("LOUD is not a level");
    }

    @Test
    void anOldClientReplacesAllSettingsAtOnce() {
        AlterConfigsHandler old = new AlterConfigsHandler(needs, new Forwarding(controlPlane));
        AlterConfigsRequestData body = new AlterConfigsRequestData();
        body.resources().mustAdd(oldChange("1", "node.id", "3"));
        body.resources().mustAdd(oldChange("", "log.retention.ms", "5"));
        controlPlane.answer = CompletableFuture.completedFuture(new AlterConfigsResponseData()
                .setResponses(List.of(new AlterConfigsResponseData.AlterConfigsResourceResponse()
                        .setResourceType(ConfigResource.Type.BROKER.id())
                        .setResourceName(""))));

        AlterConfigsResponseData answer =
                (AlterConfigsResponseData) old.handle(Requests.request(ApiKeys.ALTER_CONFIGS, 2, body), body)
                        .result();

        assertThat(answer.responses())
                .extracting(AlterConfigsResponseData.AlterConfigsResourceResponse::errorCode)
                .containsExactly(Errors.INVALID_REQUEST.code(), Errors.NONE.code());
    }

    @Test
    void whatTheClusterChangesIsTakenOver() {
        DynamicConfigListener listener = new DynamicConfigListener(config);
        ClusterImage after = ClusterImage.builder()
                .config(BROKERS, Map.of("log.retention.ms", "7"))
                .build();

        listener.onChange(new ImageChange(
                ClusterImage.empty(), after, List.of(), List.of(), Set.of(BROKERS), Set.of(), false, false));

        assertThat(config.current().topicConfig(Map.of())).containsEntry("retention.ms", "7");
    }

    private void controllerSays(ConfigResource.Type type, String name, Errors error, @Nullable String message) {
        controlPlane.answer = CompletableFuture.completedFuture(new IncrementalAlterConfigsResponseData()
                .setResponses(List.of(new AlterConfigsResourceResponse()
                        .setResourceType(type.id())
                        .setResourceName(name)
                        .setErrorCode(error.code())
                        .setErrorMessage(message))));
    }

    private AlterConfigsResourceResponse alter(IncrementalAlterConfigsRequestData body) {
        return answer(body).responses().get(0);
    }

    private IncrementalAlterConfigsResponseData answer(IncrementalAlterConfigsRequestData body) {
        Future<ApiMessage> answer = handler.handle(Requests.request(ApiKeys.INCREMENTAL_ALTER_CONFIGS, 1, body), body);
        return (IncrementalAlterConfigsResponseData) answer.result();
    }

    private static IncrementalAlterConfigsRequestData request(AlterConfigsResource... resources) {
        IncrementalAlterConfigsRequestData body = new IncrementalAlterConfigsRequestData();
        for (AlterConfigsResource resource : resources) {
            body.resources().mustAdd(resource);
        }
        return body;
    }

    private static AlterConfigsResource change(
            ConfigResource.Type type, String name, OpType operation, String setting, @Nullable String value) {
        AlterConfigsResource resource =
                new AlterConfigsResource().setResourceType(type.id()).setResourceName(name);
        resource.configs()
                .mustAdd(new AlterableConfig()
                        .setName(setting)
                        .setConfigOperation(operation.id())
                        .setValue(value));
        return resource;
    }

    private static AlterConfigsRequestData.AlterConfigsResource oldChange(String broker, String setting, String value) {
        AlterConfigsRequestData.AlterConfigsResource resource = new AlterConfigsRequestData.AlterConfigsResource()
                .setResourceType(ConfigResource.Type.BROKER.id())
                .setResourceName(broker);
        resource.configs()
                .mustAdd(new AlterConfigsRequestData.AlterableConfig()
                        .setName(setting)
                        .setValue(value));
        return resource;
    }
}
