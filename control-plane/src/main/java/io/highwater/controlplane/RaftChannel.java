package io.highwater.controlplane;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.raft.NetworkChannel;
import org.apache.kafka.raft.RaftRequest;
import org.apache.kafka.raft.RaftResponse;
import org.apache.kafka.raft.RaftUtil;
import org.jspecify.annotations.Nullable;

/** The quorum's way to its peers. A peer that cannot be reached answers with an error, as the library expects it. */
final class RaftChannel implements NetworkChannel {
    private final NodeClient client;
    private final ListenerName listenerName;
    private final AtomicInteger correlationId = new AtomicInteger();

    RaftChannel(NodeClient client, ListenerName listenerName) {
        this.client = client;
        this.listenerName = listenerName;
    }

    @Override
    public int newCorrelationId() {
        return correlationId.getAndIncrement();
    }

    @Override
    public ListenerName listenerName() {
        return listenerName;
    }

    @Override
    public CompletionStage<RaftResponse.Inbound> send(RaftRequest.Outbound request) {
        Node peer = request.destination();
        if (peer == null) {
            return CompletableFuture.completedFuture(
                    inbound(request, unreachable(request, Errors.BROKER_NOT_AVAILABLE)));
        }
        return client.send(peer, MessageRequest.of(request.data()))
                .handle((response, failure) ->
                        inbound(request, failure == null ? response.data() : unreachable(request, errorFor(failure))));
    }

    private static RaftResponse.Inbound inbound(RaftRequest.Outbound request, ApiMessage answer) {
        return new RaftResponse.Inbound(request.correlationId(), answer, request.destination());
    }

    private static ApiMessage unreachable(RaftRequest.Outbound request, Errors error) {
        return RaftUtil.errorResponse(ApiKeys.forId(request.data().apiKey()), error);
    }

    private static Errors errorFor(@Nullable Throwable failure) {
        return failure instanceof UnsupportedVersionException
                ? Errors.UNSUPPORTED_VERSION
                : Errors.BROKER_NOT_AVAILABLE;
    }

    @Override
    public void close() {
        client.close();
    }
}
