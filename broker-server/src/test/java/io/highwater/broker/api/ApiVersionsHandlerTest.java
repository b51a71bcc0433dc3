package io.highwater.broker.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.broker.api.BrokerVersions.FeatureRange;
import io.highwater.wire.api.ListenerRole;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.InetSocketAddress;
import java.util.Map;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.FinalizedFeatureKey;
import org.apache.kafka.common.message.ApiVersionsResponseData.SupportedFeatureKey;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiVersionsHandlerTest {
    private static final Client CLIENT = new Client(
            "1",
            new ListenerName("PLAINTEXT"),
            SecurityProtocol.PLAINTEXT,
            false,
            KafkaPrincipal.ANONYMOUS,
            InetSocketAddress.createUnresolved("client", 1),
            Promise.<Void>promise().future());
    private static final BrokerVersions BROKER = new BrokerVersions(
            "the cluster",
            7,
            Map.of(
                    "group.version",
                    new FeatureRange((short) 0, (short) 1),
                    "metadata.version",
                    new FeatureRange((short) 7, (short) 33)),
            Map.of("group.version", (short) 0, "metadata.version", (short) 33),
            1234);

    private final RequestRouter router = RequestRouter.builder(ListenerRole.BROKER)
            .handle(
                    ApiKeys.METADATA,
                    MetadataRequestData.class,
                    (request, body) -> Future.succeededFuture(new MetadataResponseData()))
            .build(() -> BROKER);

    @Test
    void whatHasAHandlerIsTold() {
        ApiVersionsResponseData answer = ask(0, new ApiVersionsRequestData());

        assertThat(answer.errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(answer.apiKeys())
                .extracting(ApiVersion::apiKey)
                .containsExactly(ApiKeys.METADATA.id, ApiKeys.API_VERSIONS.id);
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 99, -1})
    void aVersionFromTheFutureIsRefusedWithOurRange(int version) {
        ApiVersionsResponseData answer = ask(version, new ApiVersionsRequestData());

        assertThat(answer.errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
        assertThat(answer.apiKeys())
                .containsExactly(new ApiVersion()
                        .setApiKey(ApiKeys.API_VERSIONS.id)
                        .setMinVersion((short) 0)
                        .setMaxVersion((short) 5));
    }

    @Test
    void featuresAreToldWithTheirLevelsButNotThoseThatAreOff() {
        ApiVersionsResponseData answer = ask(4, software());

        assertThat(answer.supportedFeatures())
                .extracting(SupportedFeatureKey::name)
                .contains("group.version");
        assertThat(answer.finalizedFeatures())
                .containsExactly(new FinalizedFeatureKey()
                        .setName("metadata.version")
                        .setMinVersionLevel((short) 33)
                        .setMaxVersionLevel((short) 33));
        assertThat(answer.finalizedFeaturesEpoch()).isEqualTo(1234);
    }

    @Test
    void featuresFromLevelZeroAreHiddenFromClientsThatCannotReadThem() {
        ApiVersionsResponseData answer = ask(3, software());

        assertThat(answer.supportedFeatures())
                .extracting(SupportedFeatureKey::name)
                .containsExactly("metadata.version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "-name", "name.", "na me", "näme"})
    void aSoftwareNameThatIsNoneIsInvalid(String name) {
        ApiVersionsRequestData body = software().setClientSoftwareName(name);

        assertThat(ask(3, body).errorCode()).isEqualTo(Errors.INVALID_REQUEST.code());
        assertThat(ask(2, body).errorCode()).isEqualTo(Errors.NONE.code());
    }

    @Test
    void whoExpectsAnotherClusterOrNodeIsToldToStartAgain() {
        assertThat(expecting("the cluster", 7)).isEqualTo(Errors.NONE);
        assertThat(expecting("the cluster", 8)).isEqualTo(Errors.REBOOTSTRAP_REQUIRED);
        assertThat(expecting("another", 7)).isEqualTo(Errors.REBOOTSTRAP_REQUIRED);
        assertThat(expecting("the cluster", -1)).isEqualTo(Errors.INVALID_REQUEST);
        assertThat(expecting(null, 7)).isEqualTo(Errors.INVALID_REQUEST);
    }

    @Test
    void aRequestWithoutHandlerFails() {
        assertThat(router.route(request(ApiKeys.FETCH, 18, ApiKeys.FETCH.messageType.newRequest()))
                        .failed())
                .isTrue();
        assertThat(router.route(request(ApiKeys.METADATA, 14, new MetadataRequestData()))
                        .failed())
                .isTrue();
        assertThat(router.route(request(ApiKeys.METADATA, 13, new MetadataRequestData()))
                        .succeeded())
                .isTrue();
    }

    @Test
    void aHandlerThatThrowsIsAFailedFuture() {
        RequestRouter throwing = RequestRouter.builder(ListenerRole.BROKER)
                .handle(ApiKeys.METADATA, MetadataRequestData.class, (request, body) -> {
                    throw new IllegalStateException("ours");
                })
                .build(() -> BROKER);

        assertThat(throwing.route(request(ApiKeys.METADATA, 13, new MetadataRequestData()))
                        .cause())
                .hasMessage("ours");
    }

    @Test
    void twoHandlersForOneApiAreOurMistake() {
        RequestRouter.Builder builder = RequestRouter.builder(ListenerRole.BROKER)
                .handle(ApiKeys.METADATA, MetadataRequestData.class, (request, body) -> Future.succeededFuture());

        assertThatThrownBy(() -> builder.handle(
                        ApiKeys.METADATA, MetadataRequestData.class, (request, body) -> Future.succeededFuture()))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> builder.handle(
                        ApiKeys.FETCH, MetadataRequestData.class, (request, body) -> Future.succeededFuture()))
                .isInstanceOf(IllegalStateException.class);
    }

    private Errors expecting(@Nullable String clusterId, int nodeId) {
        return Errors.forCode(
                ask(5, software().setClusterId(clusterId).setNodeId(nodeId)).errorCode());
    }

    private static ApiVersionsRequestData software() {
        return new ApiVersionsRequestData().setClientSoftwareName("test-client").setClientSoftwareVersion("1.0");
    }

    private ApiVersionsResponseData ask(int version, ApiVersionsRequestData body) {
        return (ApiVersionsResponseData)
                router.route(request(ApiKeys.API_VERSIONS, version, body)).result();
    }

    private static ApiRequest request(ApiKeys api, int version, ApiMessage body) {
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey(api.id)
                .setRequestApiVersion((short) version)
                .setClientId("test");
        return new ApiRequest(api, header, body, 100, CLIENT, 0, () -> {});
    }
}
