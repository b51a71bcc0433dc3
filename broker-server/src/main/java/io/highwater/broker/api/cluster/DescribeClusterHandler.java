package io.highwater.broker.api.cluster;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.api.AuthorizedOperations;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.vertx.core.Future;
import java.util.Optional;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Tells the cluster's id and brokers. Never waits. v1: the client says whether it means brokers or controllers; here only brokers are
 * told of. v2: fenced brokers on request.
 */
final class DescribeClusterHandler implements ApiHandler<DescribeClusterRequestData> {
    private static final byte BROKERS = 1;
    private static final byte CONTROLLERS = 2;

    private final ClusterNeeds needs;

    DescribeClusterHandler(ClusterNeeds needs) {
        this.needs = needs;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, DescribeClusterRequestData body) {
        return Future.succeededFuture(
                body.endpointType() == BROKERS
                        ? answer(request.client().listener().value(), body)
                        : refusal(request.version(), body.endpointType()));
    }

    private static DescribeClusterResponseData refusal(short version, byte endpointType) {
        Errors sinceTypesExist =
                endpointType == CONTROLLERS ? Errors.MISMATCHED_ENDPOINT_TYPE : Errors.UNSUPPORTED_ENDPOINT_TYPE;
        return new DescribeClusterResponseData()
                .setErrorCode((version == 0 ? Errors.INVALID_REQUEST : sinceTypesExist).code())
                .setErrorMessage("this is a broker's listener; the request asks for endpoints of type " + endpointType);
    }

    private DescribeClusterResponseData answer(String listener, DescribeClusterRequestData body) {
        ClusterImage image = needs.controlPlane().image();
        DescribeClusterResponseData answer = new DescribeClusterResponseData()
                .setClusterId(needs.clusterId())
                .setEndpointType(BROKERS)
                .setClusterAuthorizedOperations(
                        body.includeClusterAuthorizedOperations()
                                ? AuthorizedOperations.ALL_OF_CLUSTER
                                : AuthorizedOperations.NOT_ASKED);
        for (BrokerView broker : image.brokers()) {
            Optional<Node> node = broker.node(listener);
            if (node.isPresent() && (!broker.fenced() || body.includeFencedBrokers())) {
                answer.brokers().add(broker(node.get(), broker.fenced()));
            }
        }
        int controller = AliveBrokers.any(image);
        return answer.setControllerId(answer.brokers().find(controller) == null ? AliveBrokers.NONE : controller);
    }

    private static DescribeClusterBroker broker(Node node, boolean fenced) {
        return new DescribeClusterBroker()
                .setBrokerId(node.id())
                .setHost(node.host())
                .setPort(node.port())
                .setRack(node.rack())
                .setIsFenced(fenced);
    }
}
