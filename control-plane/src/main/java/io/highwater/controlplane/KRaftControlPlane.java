package io.highwater.controlplane;

import com.yammer.metrics.core.MetricsRegistry;
import io.highwater.controlplane.ControlPlaneException.Reason;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.AllocateProducerIdsRequestData;
import org.apache.kafka.common.message.AllocateProducerIdsResponseData;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.message.EnvelopeRequestData;
import org.apache.kafka.common.message.EnvelopeResponseData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The control plane on Kafka's library: builds its parts in reading order and takes them down in the reverse. */
final class KRaftControlPlane implements ControlPlane {
    private static final Logger LOG = LoggerFactory.getLogger(KRaftControlPlane.class);

    /** Forwarded requests share one connection and are answered in order; this many may be under way. */
    private static final int FORWARDED_IN_FLIGHT = 32;

    private static final long PRODUCER_IDS_RETRY_MS = 100;

    private final NodeSettings settings;
    private final NodeIdentity identity;
    private final StaticConfig config;
    private final Detour detour;
    private final Faults faults;
    private final Metrics metrics = new Metrics();
    private final MetricsRegistry controllerMetrics = new MetricsRegistry();
    private final ControlExecutor executor;
    private final ImagePublisher images;
    private final CompletableFuture<Running> running = new CompletableFuture<>();
    private final Strangers strangers = new Strangers();
    private boolean startCalled;
    private volatile boolean closed;

    /** What exists between start and close. */
    private record Running(
            QuorumNode quorum,
            MetadataFeed feed,
            @Nullable ControllerNode controller,
            ControllerChannel lifecycleChannel,
            ControllerChannel askChannel,
            ControllerChannel forwardChannel,
            @Nullable BrokerSession session,
            IsrProposals isrProposals,
            DirectoryAssignments directories) {}

    KRaftControlPlane(NodeSettings settings, NodeIdentity identity, FatalFaults fatalFaults, Detour detour) {
        this.settings = settings;
        this.identity = identity;
        this.detour = detour;
        this.config = new StaticConfig(settings.properties());
        this.faults = new Faults((sentence, cause) -> {
            tell(session -> session.onFatalFault(sentence));
            fatalFaults.onFatalFault(sentence, cause);
        });
        this.executor = new ControlExecutor(settings.nodeId());
        this.images = new ImagePublisher(this::onImage);
    }

    @Override
    public synchronized void start() {
        if (startCalled || closed) {
            throw new IllegalStateException("start is called once, before close");
        }
        startCalled = true;
        try {
            running.complete(build());
        } catch (RuntimeException failed) {
            running.completeExceptionally(failed);
            throw failed;
        }
    }

    private Running build() {
        NodeClients clients = new NodeClients(settings, config, metrics, detour, faults);
        QuorumNode quorum = new QuorumNode(settings, identity, config, clients, executor, metrics, faults, strangers);
        faults.onFatal(quorum::abandon);
        MetadataFeed feed = new MetadataFeed(settings, config, images, quorum, this::onLeaderChange, faults);
        ControllerNode controller = settings.isController()
                ? new ControllerNode(
                        settings, identity, config, quorum, feed, executor, images::image, faults, controllerMetrics)
                : null;
        // A heartbeat that is not answered is sent again while the session lasts.
        ControllerChannel lifecycle = channel(clients, quorum, "lifecycle", 1, config.heartbeatTimeoutMs());
        ControllerChannel ask = channel(clients, quorum, "ask", 1, config.requestTimeoutMs());
        ControllerChannel forward = channel(clients, quorum, "forward", FORWARDED_IN_FLIGHT, config.requestTimeoutMs());
        BrokerSession session = settings.isBroker()
                ? new BrokerSession(
                        settings.nodeId(),
                        new BrokerRegistration(
                                settings,
                                identity,
                                config,
                                lifecycle,
                                executor,
                                images::image,
                                () -> quorum.leader().epoch(),
                                quorum::isWhole),
                        config.heartbeatIntervalMs(),
                        lifecycle,
                        executor,
                        images::image,
                        faults)
                : null;
        IsrProposals proposals = new IsrProposals(settings.nodeId(), this::brokerEpoch, ask, executor);
        DirectoryAssignments directories =
                new DirectoryAssignments(settings.nodeId(), this::brokerEpoch, images::image, ask, executor);
        if (controller != null) {
            feed.install(new ControllerRegistration(settings, ask, executor));
        }
        quorum.start();
        return new Running(quorum, feed, controller, lifecycle, ask, forward, session, proposals, directories);
    }

    private ControllerChannel channel(
            NodeClients clients, QuorumNode quorum, String purpose, int inFlight, int timeoutMs) {
        return new ControllerChannel(clients.client(purpose, inFlight, timeoutMs), quorum::leaderNode, executor);
    }

    private void onImage(long offset) {
        tell(session -> session.onImage(offset));
    }

    /** What the answers of other controllers may say about this node. */
    private final class Strangers implements RaftChannel.Observer {
        private final AtomicBoolean told = new AtomicBoolean();

        @Override
        public void onForeignCluster() {
            if (told.compareAndSet(false, true)) {
                LOG.error("a controller answers that it belongs to another cluster than {}", identity.clusterId());
            }
            tell(BrokerSession::onForeignCluster);
        }

        @Override
        public boolean isImpossibleLeader(int leaderId) {
            return leaderId == settings.nodeId() && !settings.isController();
        }

        @Override
        public void onTwinController() {
            tell(BrokerSession::onTwinController);
        }
    }

    private void tell(Consumer<BrokerSession> news) {
        Running parts = parts();
        if (parts != null && parts.session != null) {
            news.accept(parts.session);
        }
    }

    private void onLeaderChange() {
        Running parts = parts();
        if (parts != null) {
            parts.lifecycleChannel.controllerMayHaveChanged();
            parts.askChannel.controllerMayHaveChanged();
            parts.forwardChannel.controllerMayHaveChanged();
        }
    }

    private @Nullable Running parts() {
        return running.isDone() && !running.isCompletedExceptionally() ? running.join() : null;
    }

    private <T> CompletionStage<T> ask(Function<Running, CompletionStage<T>> question) {
        Running parts = parts();
        return parts == null || closed ? CompletableFuture.failedFuture(notRunning()) : question.apply(parts);
    }

    @Override
    public ClusterImage image() {
        return images.image();
    }

    @Override
    public Collection<Measurement> measurements() {
        List<Measurement> all = Measurements.of(metrics, controllerMetrics);
        String prefix = "kafka_server_brokermetadatametrics_";
        long appliedMs = images.appliedRecordMs();
        all.add(Measurement.of(
                prefix + "last_applied_record_timestamp",
                Measurement.Kind.GAUGE,
                Map.of(),
                (double) appliedMs,
                "When the controller wrote the last metadata record that this node has taken"));
        all.add(Measurement.of(
                prefix + "last_applied_record_lag_ms",
                Measurement.Kind.GAUGE,
                Map.of(),
                appliedMs < 0 ? 0 : (double) Math.max(0, Time.SYSTEM.milliseconds() - appliedMs),
                "Age of that record; the controller writes one every metadata.max.idle.interval.ms at least"));
        all.add(Measurement.of(
                prefix + "last_applied_record_offset",
                Measurement.Kind.GAUGE,
                Map.of(),
                (double) image().offset(),
                "Offset of the last metadata record that this node has taken"));
        all.add(Measurement.of(
                prefix + "metadata_load_error_count",
                Measurement.Kind.GAUGE,
                Map.of(),
                (double) faults.survived(),
                "What went wrong while metadata was taken, written or served"));
        all.add(Measurement.of(
                prefix + "metadata_apply_error_count",
                Measurement.Kind.GAUGE,
                Map.of(),
                0,
                "Always 0: counted among the errors of loading"));
        Running parts = parts();
        double ignores = parts != null && parts.quorum.ignoresStaticVoters() ? 1 : 0;
        String help = "1 if controller.quorum.voters is set, but the quorum has written down who votes";
        all.add(Measurement.of(prefix + "ignored_static_voters", Measurement.Kind.GAUGE, Map.of(), ignores, help));
        // The library's own gauge of a controller waits to be told.
        String controllers = "kafka_controller_kafkacontroller_ignoredstaticvoters";
        all.replaceAll(each -> each.name().equals(controllers)
                ? Measurement.of(controllers, Measurement.Kind.GAUGE, Map.of(), ignores, help)
                : each);
        return all;
    }

    @Override
    public CompletionStage<Void> listen(ImageListener listener) {
        return running.thenCompose(
                parts -> closed ? CompletableFuture.failedFuture(notRunning()) : parts.feed.listen(listener));
    }

    @Override
    public OptionalInt controllerId() {
        Running parts = parts();
        return parts == null ? OptionalInt.empty() : parts.quorum.leader().leaderId();
    }

    @Override
    public boolean isActiveController() {
        Running parts = parts();
        return parts != null && parts.controller != null && parts.controller.isActive();
    }

    @Override
    public CompletionStage<ApiMessage> handleControllerRequest(RequestHeader header, ApiMessage body, Caller caller) {
        ControllerCall call = new ControllerCall(header, body, caller, false);
        Running parts = parts();
        return parts != null ? answer(parts, call) : running.thenCompose(started -> answer(started, call));
    }

    private static CompletionStage<ApiMessage> answer(Running parts, ControllerCall call) {
        return parts.controller == null
                ? CompletableFuture.failedFuture(new UnsupportedVersionException("this node is no controller"))
                : parts.controller.answer(call);
    }

    @Override
    public CompletionStage<Void> fence(int brokerId, long brokerEpoch) {
        BrokerHeartbeatRequestData wish = new BrokerHeartbeatRequestData()
                .setBrokerId(brokerId)
                .setBrokerEpoch(brokerEpoch)
                .setWantFence(true);
        RequestHeader header = new RequestHeader(
                ApiKeys.BROKER_HEARTBEAT, ApiKeys.BROKER_HEARTBEAT.latestVersion(), "early-fencing", 0);
        return handleControllerRequest(header, wish, Caller.self()).thenAccept(answer -> {
            Errors refusal = Errors.forCode(((BrokerHeartbeatResponseData) answer).errorCode());
            if (refusal != Errors.NONE) {
                throw refusal.exception();
            }
        });
    }

    @Override
    public CompletionStage<ApiMessage> forward(RequestHeader header, ApiMessage body, Caller caller) {
        EnvelopeRequestData envelope = Envelopes.wrap(header, body, caller);
        return ask(parts -> parts.forwardChannel
                .ask(envelope, config.requestTimeoutMs())
                .handle((response, failure) -> failure instanceof TimeoutException
                        ? ErrorAnswers.of(header, body, failure)
                        : unpack(header, body, response, failure)));
    }

    private static ApiMessage unpack(
            RequestHeader header, ApiMessage body, @Nullable AbstractResponse response, @Nullable Throwable failure) {
        if (response == null) {
            throw failure instanceof RuntimeException known
                    ? known
                    : new IllegalStateException("an envelope was lost", failure);
        }
        EnvelopeResponseData envelope = (EnvelopeResponseData) response.data();
        Errors error = Errors.forCode(envelope.errorCode());
        if (error == Errors.NONE) {
            return Envelopes.answerInside(envelope, header);
        }
        if (error == Errors.UNSUPPORTED_VERSION) {
            throw new UnsupportedVersionException(
                    "the active controller does not know " + header.apiKey() + " version " + header.apiVersion());
        }
        LOG.warn("the active controller refuses to take a forwarded {}: {}", header.apiKey(), error);
        // The client must not learn of the envelope: what is wrong there is between brokers.
        return ErrorAnswers.of(header, body, Errors.UNKNOWN_SERVER_ERROR.exception());
    }

    @Override
    public BrokerLifecycle lifecycle() {
        Running parts = parts();
        if (parts == null) {
            throw notRunning();
        }
        BrokerSession session = parts.session;
        if (session == null) {
            throw new IllegalStateException("node " + settings.nodeId() + " is no broker");
        }
        return session;
    }

    private long brokerEpoch() {
        Running parts = parts();
        return parts == null || parts.session == null ? -1 : parts.session.brokerEpoch();
    }

    @Override
    public CompletionStage<ProducerIdBlock> allocateProducerIds() {
        return ask(parts -> {
            CompletableFuture<ProducerIdBlock> block = new CompletableFuture<>();
            askForProducerIds(parts, block);
            return block;
        });
    }

    private void askForProducerIds(Running parts, CompletableFuture<ProducerIdBlock> block) {
        AllocateProducerIdsRequestData request = new AllocateProducerIdsRequestData()
                .setBrokerId(settings.nodeId())
                .setBrokerEpoch(brokerEpoch());
        parts.askChannel.ask(request, ControllerChannel.NO_DEADLINE_MS).whenComplete((response, failure) -> {
            if (response == null) {
                block.completeExceptionally(
                        failure == null ? new IllegalStateException("no answer and no failure") : failure);
                return;
            }
            AllocateProducerIdsResponseData answer = (AllocateProducerIdsResponseData) response.data();
            if (answer.errorCode() == Errors.NONE.code()) {
                block.complete(new ProducerIdBlock(answer.producerIdStart(), answer.producerIdLen()));
            } else {
                LOG.info("no producer ids from the controller yet: {}", Errors.forCode(answer.errorCode()));
                executor.after(PRODUCER_IDS_RETRY_MS, () -> askForProducerIds(parts, block));
            }
        });
    }

    @Override
    public CompletionStage<InSyncReplicasAnswer> alterPartition(InSyncReplicasProposal proposal) {
        return ask(parts -> parts.isrProposals.propose(proposal));
    }

    @Override
    public CompletionStage<Void> assignReplicaToDirectory(Uuid topicId, int partition, Uuid directoryId) {
        return ask(parts -> parts.directories.assign(topicId, partition, directoryId));
    }

    @Override
    public synchronized void leaveQuorum() {
        endSession(QuorumNode::leave);
    }

    @Override
    public synchronized void abandonQuorum() {
        endSession(QuorumNode::dropOut);
    }

    private void endSession(Consumer<QuorumNode> leave) {
        Running parts = parts();
        if (parts == null) {
            return;
        }
        faults.expectNone();
        if (parts.session != null) {
            parts.session.close();
        }
        leave.accept(parts.quorum);
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        running.completeExceptionally(notRunning());
        Running parts = parts();
        if (parts != null) {
            leaveQuorum();
            parts.lifecycleChannel.close();
            parts.askChannel.close();
            parts.forwardChannel.close();
            parts.quorum.closeChannel();
            if (parts.controller != null) {
                parts.controller.beginShutdown();
            }
            parts.feed.close();
            if (parts.controller != null) {
                parts.controller.close();
            }
            executor.runLast(() -> {
                parts.isrProposals.close();
                parts.directories.close();
            });
            parts.quorum.closeLog();
        }
        executor.close();
        metrics.close();
        controllerMetrics.shutdown();
    }

    private static ControlPlaneException notRunning() {
        return new ControlPlaneException(Reason.NOT_RUNNING, "the control plane is not running");
    }
}
