package io.highwater.controlplane;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.VoteResponseData;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.raft.NetworkChannel;
import org.apache.kafka.raft.RaftRequest;
import org.apache.kafka.raft.RaftResponse;
import org.apache.kafka.raft.RaftUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The quorum's way to its peers. A peer that cannot be reached answers with an error, as the library expects it. */
final class RaftChannel implements NetworkChannel {
    private static final Logger LOG = LoggerFactory.getLogger(RaftChannel.class);
    private static final long STRANGER_PAUSE_MS = 1_000;

    private static final int NO_LEADER = -1;

    /** Sees in the peers' answers what the library would only stumble over. On the network thread. */
    interface Observer {
        /** A controller says that it belongs to another cluster. */
        void onForeignCluster();

        /** Whether this node, which asks, cannot be the leader that is named. */
        boolean isImpossibleLeader(int leaderId);

        /** A controller has this node's id. */
        void onTwinController();
    }

    private final NodeClient client;
    private final ListenerName listenerName;
    private final ControlExecutor executor;
    private final Observer observer;
    private final Memory memory;
    private boolean saidForgotten;
    private final AtomicInteger correlationId = new AtomicInteger();

    /** The last leader that a peer named together with its address. */
    private volatile @Nullable Node namedLeader;

    /** Whether this node knows of no such reign of its own. */
    @FunctionalInterface
    interface Memory {
        boolean lacks(int leaderId, int leaderEpoch);
    }

    /** @param memory of this node's own reigns */
    RaftChannel(
            NodeClient client, ListenerName listenerName, ControlExecutor executor, Observer observer, Memory memory) {
        this.client = client;
        this.listenerName = listenerName;
        this.executor = executor;
        this.observer = observer;
        this.memory = memory;
    }

    @Override
    public int newCorrelationId() {
        return correlationId.getAndIncrement();
    }

    @Override
    public ListenerName listenerName() {
        return listenerName;
    }

    /** The address of a leader, if peers have named it in answer to a Fetch. */
    Optional<Node> namedLeader(int id) {
        return Optional.ofNullable(namedLeader).filter(node -> node.id() == id);
    }

    @Override
    public CompletionStage<RaftResponse.Inbound> send(RaftRequest.Outbound request) {
        Node peer = request.destination();
        if (peer == null) {
            return CompletableFuture.completedFuture(
                    inbound(request, unreachable(request, Errors.BROKER_NOT_AVAILABLE)));
        }
        return client.send(peer, MessageRequest.of(request.data()))
                .handle((response, failure) -> {
                    if (response != null && response.errorCounts().containsKey(Errors.INCONSISTENT_CLUSTER_ID)) {
                        observer.onForeignCluster();
                        return later(inbound(request, response.data()));
                    }
                    if (response != null && observer.isImpossibleLeader(leaderIn(response.data()))) {
                        observer.onTwinController();
                        return later(inbound(request, unreachable(request, Errors.BROKER_NOT_AVAILABLE)));
                    }
                    if (response != null && isForgottenReign(response.data())) {
                        return later(inbound(request, unreachable(request, Errors.BROKER_NOT_AVAILABLE)));
                    }
                    if (response != null && response.data() instanceof FetchResponseData fetched) {
                        remember(leaderIn(fetched), fetched.nodeEndpoints());
                    }
                    return CompletableFuture.completedFuture(inbound(
                            request, failure == null ? response.data() : unreachable(request, errorFor(failure))));
                })
                .thenCompose(answer -> answer);
    }

    /** The library would ask again at once and complain each time. */
    private CompletableFuture<RaftResponse.Inbound> later(RaftResponse.Inbound answer) {
        CompletableFuture<RaftResponse.Inbound> delayed = new CompletableFuture<>();
        executor.after(STRANGER_PAUSE_MS, () -> delayed.complete(answer));
        return delayed;
    }

    /**
     * After its disk was emptied, this node may hear that it leads in an epoch that it knows nothing of. The library would give up; but the others
     * are going to elect somebody as soon as they notice that nobody leads them.
     */
    private boolean isForgottenReign(ApiMessage answer) {
        boolean forgotten = false;
        if (answer instanceof FetchResponseData fetched) {
            forgotten = fetched.responses().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .map(FetchResponseData.PartitionData::currentLeader)
                    .anyMatch(leader -> memory.lacks(leader.leaderId(), leader.leaderEpoch()));
        } else if (answer instanceof VoteResponseData vote) {
            forgotten = vote.topics().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .anyMatch(leader -> memory.lacks(leader.leaderId(), leader.leaderEpoch()));
        }
        if (forgotten && !saidForgotten) {
            saidForgotten = true;
            LOG.warn("another controller takes this node for the leader of a reign that it does not remember, as after "
                    + "its metadata directory was emptied; waiting for another one to be elected");
        }
        return forgotten;
    }

    private void remember(int leaderId, FetchResponseData.NodeEndpointCollection endpoints) {
        FetchResponseData.NodeEndpoint leader = endpoints.find(leaderId);
        if (leader != null) {
            namedLeader = new Node(leaderId, leader.host(), leader.port());
        }
    }

    private static int leaderIn(ApiMessage answer) {
        return answer instanceof FetchResponseData fetched
                ? fetched.responses().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .mapToInt(partition -> partition.currentLeader().leaderId())
                        .findFirst()
                        .orElse(NO_LEADER)
                : NO_LEADER;
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
