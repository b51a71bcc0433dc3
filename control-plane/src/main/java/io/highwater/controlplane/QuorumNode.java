package io.highwater.controlplane;

import io.highwater.controlplane.ControlPlaneException.Reason;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeQuorumRequestData;
import org.apache.kafka.common.message.DescribeQuorumResponseData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.raft.Endpoints;
import org.apache.kafka.raft.FileQuorumStateStore;
import org.apache.kafka.raft.KafkaRaftClient;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.raft.MetadataLogConfig;
import org.apache.kafka.raft.RaftClient;
import org.apache.kafka.raft.RaftMessage;
import org.apache.kafka.raft.RaftRequest;
import org.apache.kafka.raft.RaftUtil;
import org.apache.kafka.raft.internals.KafkaRaftLog;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.util.KafkaScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's part in the metadata quorum: its copy of the log, and the library's client that votes or observes. One thread polls that
 * client; requests of peers are handed to it and answered from it.
 */
final class QuorumNode {
    /** How long a leader that leaves waits for its successor. */
    static final int LEAVE_TIMEOUT_MS = 1_500;

    /** How long anybody else waits: the library wants to see a leader once more, which it may not if all stop together. */
    static final int LEAVE_AS_FOLLOWER_TIMEOUT_MS = 150;

    private static final Logger LOG = LoggerFactory.getLogger(QuorumNode.class);

    private final NodeSettings settings;
    private final ListenerName listenerName;
    private final Faults faults;
    private final KafkaScheduler scheduler;
    private final KafkaRaftLog log;
    private final RaftChannel channel;
    private final KafkaRaftClient<ApiMessageAndVersion> client;
    private final Thread thread;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean started;
    private volatile boolean ignoresStaticVoters;

    /**
     * Opens and recovers the log. Blocks on the disk.
     *
     * @param peers sees the answers of other controllers
     */
    QuorumNode(
            NodeSettings settings,
            NodeIdentity identity,
            StaticConfig config,
            NodeClients clients,
            ControlExecutor executor,
            Metrics metrics,
            Faults faults,
            RaftChannel.Observer peers) {
        this.settings = settings;
        this.faults = faults;
        this.listenerName = new ListenerName(settings.controllerListenerNames().get(0));
        this.scheduler = new KafkaScheduler(1, true, "highwater-" + settings.nodeId() + "-metadata-log-");
        scheduler.startup();
        Path directory = settings.metadataLogDirectory().resolve(Topic.CLUSTER_METADATA_TOPIC_NAME + "-0");
        this.log = openLog(directory.toFile(), config);
        this.channel = new RaftChannel(
                clients.client("quorum", 1, config.quorum().requestTimeoutMs()),
                listenerName,
                executor,
                peers,
                this::lacksReign);
        this.client = new KafkaRaftClient<>(
                OptionalInt.of(settings.nodeId()),
                directoryId(identity),
                MetadataRecordSerde.INSTANCE,
                channel,
                log,
                Time.SYSTEM,
                executor,
                new LogContext("[quorum of node " + settings.nodeId() + "] "),
                settings.isController(),
                identity.clusterId(),
                bootstrapServers(config),
                endpoints(),
                Feature.KRAFT_VERSION.supportedVersionRange(),
                config.quorum());
        this.thread = new Thread(this::poll, "highwater-" + settings.nodeId() + "-quorum-io");
        thread.setDaemon(true);
        initialize(directory, config, metrics);
    }

    /** Whether {@code controller.quorum.voters} is set, but the quorum has written down who votes. */
    boolean ignoresStaticVoters() {
        return ignoresStaticVoters;
    }

    private boolean lacksReign(int leaderId, int leaderEpoch) {
        return leaderId == settings.nodeId()
                && leaderEpoch > client.leaderAndEpoch().epoch();
    }

    private void initialize(Path directory, StaticConfig config, Metrics metrics) {
        File quorumState = new File(directory.toFile(), FileQuorumStateStore.DEFAULT_FILE_NAME);
        try {
            client.initialize(
                    config.staticVoters(),
                    new FileQuorumStateStore(quorumState),
                    metrics,
                    ignored -> ignoresStaticVoters = ignored);
        } catch (RuntimeException failed) {
            closeChannel();
            closeLog();
            throw new ControlPlaneException(
                    Reason.DISK, "cannot read the metadata log in " + directory + ": " + failed.getMessage(), failed);
        }
    }

    private KafkaRaftLog openLog(File directory, StaticConfig config) {
        try {
            Files.createDirectories(directory.toPath());
            return KafkaRaftLog.createLog(
                    Topic.CLUSTER_METADATA_TOPIC_PARTITION,
                    Uuid.METADATA_TOPIC_ID,
                    directory,
                    Time.SYSTEM,
                    scheduler,
                    new MetadataLogConfig(config.values()),
                    settings.nodeId());
        } catch (IOException | RuntimeException failed) {
            stopScheduler();
            throw new ControlPlaneException(
                    Reason.DISK, "cannot open the metadata log in " + directory + ": " + failed.getMessage(), failed);
        }
    }

    private Uuid directoryId(NodeIdentity identity) {
        return identity.directories().stream()
                .filter(directory -> directory.path().equals(settings.metadataLogDirectory()))
                .map(LogDirectoryIdentity::id)
                .findFirst()
                .orElseThrow(() -> new ControlPlaneException(
                        Reason.NOT_FORMATTED, "not formatted: " + settings.metadataLogDirectory()));
    }

    private List<InetSocketAddress> bootstrapServers(StaticConfig config) {
        List<InetSocketAddress> servers = config.quorumBootstrapServers();
        Optional<Endpoint> own = settings.quorumEndpoint();
        // The library wants one even of a node that is the only voter, and never calls it then.
        return !servers.isEmpty() || !config.staticVoters().isEmpty() || own.isEmpty()
                ? servers
                : List.of(unresolved(own.get()));
    }

    private Endpoints endpoints() {
        Map<ListenerName, InetSocketAddress> addresses = new HashMap<>();
        for (Endpoint endpoint : settings.controllerEndpoints()) {
            addresses.put(ListenerName.normalised(endpoint.listener()), unresolved(endpoint));
        }
        return Endpoints.fromInetSocketAddresses(addresses);
    }

    /** A resolved address never equals the one in the voter set, and the library would go on updating its voter. */
    private static InetSocketAddress unresolved(Endpoint endpoint) {
        return InetSocketAddress.createUnresolved(endpoint.host(), endpoint.port());
    }

    void start() {
        started = true;
        thread.start();
    }

    private void poll() {
        try {
            while (client.isRunning()) {
                client.poll();
            }
        } catch (Throwable broken) { // what the library throws here, errors too, ends the quorum's thread
            faults.fatal("metadata quorum").handleFault("its thread failed", broken);
        } finally {
            stopped.countDown();
        }
    }

    void register(RaftClient.Listener<ApiMessageAndVersion> listener) {
        client.register(listener);
    }

    RaftClient<ApiMessageAndVersion> client() {
        return client;
    }

    OptionalLong highWatermark() {
        return client.highWatermark();
    }

    LeaderAndEpoch leader() {
        return client.leaderAndEpoch();
    }

    /** The active controller's address on the listener this node calls, if both are known. */
    Optional<Node> leaderNode() {
        OptionalInt leader = client.leaderAndEpoch().leaderId();
        if (leader.isEmpty()) {
            return Optional.empty();
        }
        int id = leader.getAsInt();
        // The voter set still has the address of the last start, and a lone voter never updates its own entry.
        return settings.isController() && id == settings.nodeId()
                ? settings.quorumEndpoint().map(own -> new Node(id, own.host(), own.port()))
                // A quorum of static voters writes no addresses into the log: who only knows where to ask is told
                // there.
                : client.voterNode(id, listenerName).or(() -> channel.namedLeader(id));
    }

    /** Answers a request of the quorum's own protocol, on the quorum's thread. */
    CompletionStage<ApiMessage> handle(String onListener, RequestHeader header, ApiMessage request) {
        return client.handle(new RaftRequest.Inbound(
                        new ListenerName(onListener),
                        header.correlationId(),
                        header.apiVersion(),
                        request,
                        Time.SYSTEM.milliseconds()))
                .thenApply(RaftMessage::data);
    }

    /** Whether this node is the only voter. */
    CompletionStage<Boolean> isWhole() {
        DescribeQuorumRequestData request =
                RaftUtil.singletonDescribeQuorumRequest(Topic.CLUSTER_METADATA_TOPIC_PARTITION);
        return handle(listenerName.value(), new RequestHeader(ApiKeys.DESCRIBE_QUORUM, (short) 0, "", 0), request)
                .thenApply(answer -> {
                    DescribeQuorumResponseData quorum = (DescribeQuorumResponseData) answer;
                    return quorum.errorCode() == Errors.NONE.code()
                            && quorum.topics().stream()
                                    .flatMap(topic -> topic.partitions().stream())
                                    .allMatch(log -> log.currentVoters().size() == 1
                                            && log.currentVoters().get(0).replicaId() == settings.nodeId());
                });
    }

    /** Resigns and stops polling. Blocks for at most a little longer than {@link #LEAVE_TIMEOUT_MS}. Idempotent. */
    void leave() {
        if (!started || stopped.getCount() == 0) {
            return;
        }
        boolean leads = client.leaderAndEpoch().isLeader(settings.nodeId());
        client.shutdown(leads ? LEAVE_TIMEOUT_MS : LEAVE_AS_FOLLOWER_TIMEOUT_MS).exceptionally(timedOut -> {
            LOG.debug("left the quorum without seeing a leader", timedOut);
            return null;
        });
        awaitStopped();
    }

    /** Stops polling without a word to the others. Blocks for the thread. Idempotent. */
    void dropOut() {
        if (started && stopped.getCount() > 0) {
            abandon();
            awaitStopped();
        }
    }

    private void awaitStopped() {
        try {
            if (!stopped.await(2L * LEAVE_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                LOG.warn("the quorum's thread is still busy after {} ms", 2 * LEAVE_TIMEOUT_MS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks the thread to stop without waiting for it. */
    void abandon() {
        client.shutdown(0);
    }

    /** Closes the connections to peers; what the log still writes may go on. */
    void closeChannel() {
        channel.close();
    }

    /** Flushes and closes the log. Blocks on the disk. */
    void closeLog() {
        try {
            client.close();
            log.close();
        } catch (RuntimeException failed) {
            LOG.warn("the metadata log was not closed cleanly; it is recovered at the next start", failed);
        }
        stopScheduler();
    }

    private void stopScheduler() {
        try {
            scheduler.shutdown();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
