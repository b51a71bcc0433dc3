package io.highwater.broker.api;

import io.highwater.wire.api.ApiSupport;
import io.highwater.wire.api.VersionRange;
import io.vertx.core.Future;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.FinalizedFeatureKey;
import org.apache.kafka.common.message.ApiVersionsResponseData.SupportedFeatureKey;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Tells which APIs, versions and features there are. Never waits.
 *
 * <p>A version from the future is answered in v0 with UNSUPPORTED_VERSION and our own range, so that the client can ask again
 * on the same connection. v3: the client names its software, features are told. v4: features that start at level 0 are told
 * too, which older clients refuse to read. v5: the client says which cluster and node it expects; a wrong guess is answered
 * with REBOOTSTRAP_REQUIRED.
 */
final class ApiVersionsHandler implements ApiHandler<ApiVersionsRequestData> {
    private static final int SOFTWARE_NAMED_FROM = 3;
    private static final int LEVEL_ZERO_FROM = 4;
    private static final int EXPECTED_NODE_FROM = 5;
    private static final int NO_NODE = -1;
    private static final Pattern SOFTWARE = Pattern.compile("[a-zA-Z0-9](?:[a-zA-Z0-9\\-.]*[a-zA-Z0-9])?");

    private final ApiSupport support;
    private final Supplier<BrokerVersions> broker;

    ApiVersionsHandler(ApiSupport support, Supplier<BrokerVersions> broker) {
        this.support = support;
        this.broker = broker;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, ApiVersionsRequestData body) {
        return Future.succeededFuture(answer(request.version(), body));
    }

    private ApiVersionsResponseData answer(short version, ApiVersionsRequestData body) {
        if (!support.supports(ApiKeys.API_VERSIONS, version)) {
            return refusal(Errors.UNSUPPORTED_VERSION).setApiKeys(ownRange());
        }
        if (!isValid(version, body)) {
            return refusal(Errors.INVALID_REQUEST);
        }
        BrokerVersions versions = broker.get();
        if (version >= EXPECTED_NODE_FROM && expectsAnother(body, versions)) {
            return refusal(Errors.REBOOTSTRAP_REQUIRED);
        }
        ApiVersionsResponseData answer =
                new ApiVersionsResponseData().setFinalizedFeaturesEpoch(versions.finalizedEpoch());
        support.advertised().forEach(answer.apiKeys()::add);
        addFeatures(answer, version, versions);
        return answer;
    }

    private static ApiVersionsResponseData refusal(Errors error) {
        return new ApiVersionsResponseData().setErrorCode(error.code());
    }

    private ApiVersionsResponseData.ApiVersionCollection ownRange() {
        ApiVersionsResponseData.ApiVersionCollection own = new ApiVersionsResponseData.ApiVersionCollection();
        VersionRange range = support.versions(ApiKeys.API_VERSIONS);
        if (range != null) {
            own.add(new ApiVersion()
                    .setApiKey(ApiKeys.API_VERSIONS.id)
                    .setMinVersion(range.min())
                    .setMaxVersion(range.max()));
        }
        return own;
    }

    private static boolean isValid(short version, ApiVersionsRequestData body) {
        if (version >= EXPECTED_NODE_FROM && (body.clusterId() == null) != (body.nodeId() == NO_NODE)) {
            return false;
        }
        if (version < SOFTWARE_NAMED_FROM) {
            return true;
        }
        return SOFTWARE.matcher(body.clientSoftwareName()).matches()
                && SOFTWARE.matcher(body.clientSoftwareVersion()).matches();
    }

    private static boolean expectsAnother(ApiVersionsRequestData body, BrokerVersions versions) {
        return body.clusterId() != null
                && (!body.clusterId().equals(versions.clusterId()) || body.nodeId() != versions.nodeId());
    }

    private static void addFeatures(ApiVersionsResponseData answer, short version, BrokerVersions versions) {
        versions.supported().forEach((name, range) -> {
            if (version >= LEVEL_ZERO_FROM || range.min() != 0) {
                answer.supportedFeatures()
                        .add(new SupportedFeatureKey()
                                .setName(name)
                                .setMinVersion(range.min())
                                .setMaxVersion(range.max()));
            }
        });
        versions.finalized().forEach((name, level) -> {
            if (level != 0) {
                answer.finalizedFeatures()
                        .add(new FinalizedFeatureKey()
                                .setName(name)
                                .setMinVersionLevel(level)
                                .setMaxVersionLevel(level));
            }
        });
    }
}
