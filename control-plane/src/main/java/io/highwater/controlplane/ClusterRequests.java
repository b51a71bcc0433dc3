package io.highwater.controlplane;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.common.feature.Features;
import org.apache.kafka.common.message.AlterClientQuotasRequestData;
import org.apache.kafka.common.message.AlterClientQuotasResponseData;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterClientQuotasRequest;
import org.apache.kafka.common.requests.AlterClientQuotasResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.image.publisher.ControllerRegistrationsPublisher;

/** The cluster as a whole: what is spoken here, who the controllers are, feature levels, client quotas. */
final class ClusterRequests {
    private static final byte CONTROLLER_ENDPOINTS = 2;
    private static final byte BROKER_ENDPOINTS = 1;
    private static final int OPERATIONS_NOT_ASKED = Integer.MIN_VALUE;

    /** Below this version a client cannot read that a feature's lowest level is 0. */
    private static final int FIRST_API_VERSIONS_WITH_LEVEL_0 = 4;

    private final Controller controller;
    private final NodeIdentity identity;
    private final QuorumNode quorum;
    private final ControllerRegistrationsPublisher controllers;
    private final Supplier<ClusterImage> image;

    ClusterRequests(
            Controller controller,
            NodeIdentity identity,
            QuorumNode quorum,
            ControllerRegistrationsPublisher controllers,
            Supplier<ClusterImage> image) {
        this.controller = controller;
        this.identity = identity;
        this.quorum = quorum;
        this.controllers = controllers;
        this.image = image;
    }

    void addTo(Map<ApiKeys, ControllerApi> apis) {
        apis.put(ApiKeys.DESCRIBE_CLUSTER, call -> CompletableFuture.completedFuture(describe(call)));
        apis.put(
                ApiKeys.UPDATE_FEATURES,
                call -> controller.updateFeatures(call.context(), call.body(UpdateFeaturesRequestData.class)));
        apis.put(ApiKeys.ALTER_CLIENT_QUOTAS, this::alterQuotas);
        Set<ApiKeys> answered = EnumSet.copyOf(apis.keySet());
        answered.add(ApiKeys.API_VERSIONS);
        answered.add(ApiKeys.ENVELOPE);
        apis.put(ApiKeys.API_VERSIONS, call -> CompletableFuture.completedFuture(apiVersions(call, answered)));
    }

    private ApiVersionsResponseData apiVersions(ControllerCall call, Set<ApiKeys> answered) {
        short version = call.header().apiVersion();
        ApiVersionsRequestData body = call.body(ApiVersionsRequestData.class);
        ApiVersionsRequest request = new ApiVersionsRequest(body, version);
        if (!request.isValid()) {
            return request.getErrorResponse(0, Errors.INVALID_REQUEST.exception())
                    .data();
        }
        if (body.clusterId() != null
                && (!body.clusterId().equals(identity.clusterId()) || body.nodeId() != identity.nodeId())) {
            return request.getErrorResponse(0, Errors.REBOOTSTRAP_REQUIRED.exception())
                    .data();
        }
        ClusterImage now = image.get();
        return new ApiVersionsResponse.Builder()
                .setApiVersions(
                        ApiVersionsResponse.collectApis(ApiMessageType.ListenerType.CONTROLLER, answered, false))
                .setSupportedFeatures(Features.supportedFeatures(SupportedFeatures.RANGES))
                .setFinalizedFeatures(now.finalizedFeatures())
                .setFinalizedFeaturesEpoch(now.offset())
                .setAlterFeatureLevel0(version < FIRST_API_VERSIONS_WITH_LEVEL_0)
                .build()
                .data();
    }

    private DescribeClusterResponseData describe(ControllerCall call) {
        DescribeClusterRequestData request = call.body(DescribeClusterRequestData.class);
        byte wanted = request.endpointType();
        if (wanted != CONTROLLER_ENDPOINTS) {
            boolean known = wanted == BROKER_ENDPOINTS;
            Errors error = call.header().apiVersion() == 0
                    ? Errors.INVALID_REQUEST
                    : known ? Errors.MISMATCHED_ENDPOINT_TYPE : Errors.UNSUPPORTED_ENDPOINT_TYPE;
            return new DescribeClusterResponseData()
                    .setErrorCode(error.code())
                    .setErrorMessage(
                            known
                                    ? "This is a controller's endpoint; the request wants a broker's."
                                    : "Unsupported endpoint type " + wanted);
        }
        DescribeClusterResponseData.DescribeClusterBrokerCollection nodes =
                controllers.describeClusterControllers(call.caller().listenerName());
        int leader = quorum.leader().leaderId().orElse(-1);
        return new DescribeClusterResponseData()
                .setClusterId(identity.clusterId())
                .setControllerId(nodes.find(leader) == null ? -1 : leader)
                .setClusterAuthorizedOperations(OPERATIONS_NOT_ASKED)
                .setBrokers(nodes)
                .setEndpointType(CONTROLLER_ENDPOINTS);
    }

    private CompletionStage<AlterClientQuotasResponseData> alterQuotas(ControllerCall call) {
        AlterClientQuotasRequest request = new AlterClientQuotasRequest(
                call.body(AlterClientQuotasRequestData.class), call.header().apiVersion());
        return controller
                .alterClientQuotas(call.context(), request.entries(), request.validateOnly())
                .thenApply(outcomes ->
                        AlterClientQuotasResponse.fromQuotaEntities(outcomes, 0).data());
    }
}
