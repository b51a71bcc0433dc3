package io.highwater.controlplane;

import io.highwater.controlplane.ControlPlaneException.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.BrokerRegistrationResponseData;
import org.apache.kafka.common.message.UnregisterBrokerRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this broker registered. One message is on its way at a time; whatever changes meanwhile (caught up, ready, on its way out) is said in
 * the next one, which then leaves at once. Everything but the volatile getters is owned by the control thread.
 */
final class BrokerRegistration implements BrokerLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerRegistration.class);

    /** While the controller has something to finish for us, the usual two seconds between heartbeats would be the slowest part. */
    static final long IMPATIENT_HEARTBEAT_MS = 20;

    /** After this many impatient heartbeats in a row something takes long, and asking often does not help. */
    static final int MAX_IMPATIENT_HEARTBEATS = 50;

    private static final long REGISTRATION_RETRY_MS = 250;
    private static final int SESSIONS_TO_WAIT_FOR_A_TWIN = 2;

    private final NodeSettings settings;
    private final NodeIdentity identity;
    private final ControllerChannel channel;
    private final ControlExecutor executor;
    private final Supplier<ClusterImage> image;
    private final Supplier<CompletionStage<Boolean>> isWholeQuorum;
    private final Faults faults;
    private final int heartbeatIntervalMs;
    private final int registrationTimeoutMs;
    private final long twinPatienceMs;
    private final Uuid incarnationId = Uuid.randomUuid();

    private final CompletableFuture<Long> registered = new CompletableFuture<>();
    private final CompletableFuture<Void> caughtUp = new CompletableFuture<>();
    private final CompletableFuture<Void> unfenced = new CompletableFuture<>();
    private final CompletableFuture<Void> letGo = new CompletableFuture<>();

    private volatile State state = State.NOT_RUNNING;
    private volatile long brokerEpoch = -1;
    private volatile boolean fenced = true;

    private long previousBrokerEpoch = -1;
    private long startedAtNanos;
    private boolean ready;
    private boolean inFlight;
    private boolean sendAgain;
    private boolean askedToForget;
    private boolean warnedOfTwin;
    private int impatient;
    private int timer;
    private final Set<Uuid> failedDirectories = new HashSet<>();
    private final Set<Uuid> acknowledgedDirectories = new HashSet<>();

    /**
     * @param image the newest image; its offset goes into each heartbeat
     * @param isWholeQuorum whether this process is the only controller of its cluster, as far as the quorum knows
     */
    BrokerRegistration(
            NodeSettings settings,
            NodeIdentity identity,
            StaticConfig config,
            ControllerChannel channel,
            ControlExecutor executor,
            Supplier<ClusterImage> image,
            Supplier<CompletionStage<Boolean>> isWholeQuorum,
            Faults faults) {
        this.settings = settings;
        this.identity = identity;
        this.channel = channel;
        this.executor = executor;
        this.image = image;
        this.isWholeQuorum = isWholeQuorum;
        this.faults = faults;
        this.heartbeatIntervalMs = config.heartbeatIntervalMs();
        this.registrationTimeoutMs = config.registrationTimeoutMs();
        this.twinPatienceMs = SESSIONS_TO_WAIT_FOR_A_TWIN * TimeUnit.NANOSECONDS.toMillis(config.sessionTimeoutNs());
    }

    @Override
    public CompletionStage<Long> register(long epochBefore) {
        executor.run(() -> {
            if (state != State.NOT_RUNNING) {
                throw new IllegalStateException("register is called once; state is " + state);
            }
            state = State.STARTING;
            previousBrokerEpoch = epochBefore;
            startedAtNanos = System.nanoTime();
            sendRegistration();
        });
        return registered.minimalCompletionStage();
    }

    private long sinceStartMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAtNanos);
    }

    private void sendRegistration() {
        long leftMs = registrationTimeoutMs - sinceStartMs();
        if (leftMs <= 0) {
            registrationFailed(
                    Reason.TIMED_OUT,
                    "could not register with a controller within " + registrationTimeoutMs
                            + " ms (initial.broker.registration.timeout.ms)");
            return;
        }
        channel.ask(registration(), leftMs)
                .whenComplete((response, failure) -> executor.run(() -> onRegistration(response, failure)));
    }

    private BrokerRegistrationRequestData registration() {
        BrokerRegistrationRequestData request = new BrokerRegistrationRequestData()
                .setBrokerId(settings.nodeId())
                .setClusterId(identity.clusterId())
                .setIncarnationId(incarnationId)
                .setRack(settings.rack())
                .setPreviousBrokerEpoch(previousBrokerEpoch)
                .setLogDirs(identity.directories().stream()
                        .filter(directory -> settings.logDirectories().contains(directory.path()))
                        .map(LogDirectoryIdentity::id)
                        .sorted()
                        .toList());
        settings.brokerEndpoints()
                .forEach(endpoint -> request.listeners()
                        .add(new BrokerRegistrationRequestData.Listener()
                                .setName(endpoint.listener())
                                .setHost(endpoint.host())
                                .setPort(endpoint.port())
                                .setSecurityProtocol(endpoint.securityProtocol().id)));
        SupportedFeatures.RANGES.forEach((name, range) -> request.features()
                .add(new BrokerRegistrationRequestData.Feature()
                        .setName(name)
                        .setMinSupportedVersion(range.min())
                        .setMaxSupportedVersion(range.max())));
        return request;
    }

    private void onRegistration(@Nullable AbstractResponse response, @Nullable Throwable failure) {
        if (state != State.STARTING) {
            return;
        }
        if (response == null) {
            Throwable cause = ErrorAnswers.unwrap(failure == null ? new IllegalStateException("no answer") : failure);
            if (cause instanceof org.apache.kafka.common.errors.TimeoutException) {
                sendRegistration();
            } else if (cause instanceof ControlPlaneException closed) {
                registrationFailed(closed.reason(), String.valueOf(closed.getMessage()));
            } else {
                registrationFailed(
                        Reason.REGISTRATION_REFUSED, "cannot register with the controller: " + cause.getMessage());
            }
            return;
        }
        BrokerRegistrationResponseData answer = (BrokerRegistrationResponseData) response.data();
        Errors error = Errors.forCode(answer.errorCode());
        switch (error) {
            case NONE -> registeredAs(answer.brokerEpoch());
            case DUPLICATE_BROKER_REGISTRATION -> onTwin();
            case INCONSISTENT_CLUSTER_ID ->
                registrationFailed(
                        Reason.FOREIGN_CLUSTER,
                        "the controllers belong to another cluster than this node's directories, which are of "
                                + identity.clusterId());
            case UNSUPPORTED_VERSION ->
                registrationFailed(
                        Reason.UNSUPPORTED_FEATURE,
                        "the cluster runs a feature level that this broker does not know; it supports "
                                + SupportedFeatures.RANGES);
            case INVALID_REGISTRATION, CLUSTER_AUTHORIZATION_FAILED, INVALID_REQUEST ->
                registrationFailed(
                        Reason.REGISTRATION_REFUSED,
                        "the controller refuses the registration of broker " + settings.nodeId() + ": " + error);
            default -> {
                LOG.info("the controller cannot register broker {} yet: {}", settings.nodeId(), error);
                executor.after(REGISTRATION_RETRY_MS, this::sendRegistration);
            }
        }
    }

    /**
     * The registration of a process that crashed keeps its session for {@code broker.session.timeout.ms}. A cluster waits for that; where
     * this process is the whole quorum it need not: only through it could a twin have kept the session alive, and it has just begun.
     */
    private void onTwin() {
        if (previousBrokerEpoch < 0 && !askedToForget && isOurs(image.get().broker(settings.nodeId()))) {
            askedToForget = true;
            isWholeQuorum
                    .get()
                    .whenComplete((whole, failed) -> executor.run(() -> {
                        if (failed == null && whole) {
                            forgetCrashed();
                        } else {
                            waitForTwin();
                        }
                    }));
        } else {
            waitForTwin();
        }
    }

    private boolean isOurs(@Nullable BrokerView registeredBefore) {
        Set<Uuid> ours =
                identity.directories().stream().map(LogDirectoryIdentity::id).collect(Collectors.toSet());
        return registeredBefore != null
                && !registeredBefore.directories().isEmpty()
                && ours.containsAll(registeredBefore.directories());
    }

    private void forgetCrashed() {
        LOG.info("broker {} crashed; its old registration is removed", settings.nodeId());
        channel.ask(new UnregisterBrokerRequestData().setBrokerId(settings.nodeId()), registrationTimeoutMs)
                .whenComplete((response, failure) -> executor.run(this::sendRegistration));
    }

    private void waitForTwin() {
        if (sinceStartMs() > twinPatienceMs) {
            registrationFailed(
                    Reason.DUPLICATE_BROKER,
                    "another process is registered as broker " + settings.nodeId() + " and keeps its session alive");
            return;
        }
        if (!warnedOfTwin) {
            warnedOfTwin = true;
            LOG.warn(
                    "broker {} is still registered by another process, or by this one before a crash;"
                            + " waiting for that session to end (broker.session.timeout.ms)",
                    settings.nodeId());
        }
        executor.after(REGISTRATION_RETRY_MS, this::sendRegistration);
    }

    private void registrationFailed(Reason reason, String sentence) {
        end();
        ControlPlaneException failure = new ControlPlaneException(reason, sentence);
        registered.completeExceptionally(failure);
        caughtUp.completeExceptionally(failure);
        unfenced.completeExceptionally(failure);
    }

    /** A controller answered the quorum's client that it knows no such cluster; from any thread. */
    void onForeignCluster() {
        executor.run(() -> {
            if (unregistered()) {
                foreignCluster();
            }
        });
    }

    /** A controller has this node's id; from any thread. */
    void onTwinController() {
        executor.run(() -> {
            if (unregistered()) {
                registrationFailed(
                        Reason.DUPLICATE_BROKER,
                        "another process is a controller with node.id " + settings.nodeId() + " of this cluster");
            }
        });
    }

    /** The control plane is dead: whoever waits for progress learns that there will be none; from any thread. */
    void onFatalFault(String sentence) {
        executor.run(() -> registrationFailed(Reason.NOT_RUNNING, sentence));
    }

    private boolean unregistered() {
        return brokerEpoch < 0 && (state == State.NOT_RUNNING || state == State.STARTING);
    }

    private void foreignCluster() {
        registrationFailed(
                Reason.FOREIGN_CLUSTER,
                "the controllers belong to another cluster than this node's directories, which are of "
                        + identity.clusterId());
    }

    private void registeredAs(long epoch) {
        brokerEpoch = epoch;
        LOG.info("registered broker {} with epoch {}", settings.nodeId(), epoch);
        registered.complete(epoch);
        // Before its own registration is in the image the broker cannot have caught up: the image's arrival sends the
        // first heartbeat.
        if (image.get().offset() >= epoch) {
            heartbeat();
        } else {
            heartbeatIn(IMPATIENT_HEARTBEAT_MS * 5);
        }
    }

    /** A newer image is in force; called from the loader's thread. */
    void onImage(long offset) {
        if (state == State.STARTING && brokerEpoch >= 0 && offset >= brokerEpoch) {
            executor.run(() -> {
                if (state == State.STARTING) {
                    heartbeat();
                }
            });
        }
    }

    private void heartbeatIn(long delayMs) {
        int thisTimer = ++timer;
        executor.after(delayMs, () -> {
            if (timer == thisTimer) {
                heartbeat();
            }
        });
    }

    private void heartbeat() {
        if (inFlight) {
            sendAgain = true;
            return;
        }
        if (brokerEpoch < 0 || state == State.SHUTTING_DOWN) {
            return;
        }
        timer++;
        inFlight = true;
        sendAgain = false;
        Set<Uuid> toldFailed = Set.copyOf(failedDirectories);
        BrokerHeartbeatRequestData request = new BrokerHeartbeatRequestData()
                .setBrokerId(settings.nodeId())
                .setBrokerEpoch(brokerEpoch)
                .setCurrentMetadataOffset(image.get().offset())
                .setWantFence(!ready)
                .setWantShutDown(state == State.PENDING_CONTROLLED_SHUTDOWN)
                .setOfflineLogDirs(new ArrayList<>(toldFailed));
        channel.ask(request, heartbeatIntervalMs)
                .whenComplete((response, failure) -> executor.run(() -> onHeartbeat(response, failure, toldFailed)));
    }

    private void onHeartbeat(@Nullable AbstractResponse response, @Nullable Throwable failure, Set<Uuid> toldFailed) {
        inFlight = false;
        if (response == null) {
            if (!(failure instanceof ControlPlaneException)) {
                LOG.debug("a heartbeat was not answered", failure);
                heartbeatIn(IMPATIENT_HEARTBEAT_MS);
            }
            return;
        }
        BrokerHeartbeatResponseData answer = (BrokerHeartbeatResponseData) response.data();
        Errors error = Errors.forCode(answer.errorCode());
        if (error != Errors.NONE) {
            LOG.warn(
                    "the controller refuses a heartbeat of broker {} (epoch {}): {}",
                    settings.nodeId(),
                    brokerEpoch,
                    error);
            heartbeatIn(heartbeatIntervalMs);
            return;
        }
        acknowledgedDirectories.addAll(toldFailed);
        boolean wasFenced = fenced;
        fenced = answer.isFenced();
        boolean progressWanted = advance(answer, wasFenced);
        scheduleNext(progressWanted);
    }

    /** Takes the answer's news; whether the controller still owes us something. */
    private boolean advance(BrokerHeartbeatResponseData answer, boolean wasFenced) {
        switch (state) {
            case STARTING -> {
                if (!answer.isCaughtUp()) {
                    return true;
                }
                state = State.RECOVERY;
                impatient = 0;
                caughtUp.complete(null);
                return ready;
            }
            case RECOVERY -> {
                if (answer.isFenced()) {
                    return ready;
                }
                state = State.RUNNING;
                impatient = 0;
                LOG.info("broker {} is unfenced", settings.nodeId());
                unfenced.complete(null);
                return false;
            }
            case RUNNING -> {
                if (answer.isFenced() != wasFenced) {
                    LOG.warn(
                            "broker {} was {} by the controller",
                            settings.nodeId(),
                            answer.isFenced() ? "fenced" : "unfenced");
                }
                return answer.isFenced();
            }
            case PENDING_CONTROLLED_SHUTDOWN -> {
                if (answer.shouldShutDown()) {
                    end();
                    letGo.complete(null);
                }
                return true;
            }
            case NOT_RUNNING, SHUTTING_DOWN -> {
                return false;
            }
        }
        throw new IllegalStateException("unknown state " + state);
    }

    private void scheduleNext(boolean progressWanted) {
        if (state == State.SHUTTING_DOWN) {
            return;
        }
        if (sendAgain) {
            heartbeat();
        } else if (progressWanted && impatient < MAX_IMPATIENT_HEARTBEATS) {
            impatient++;
            heartbeatIn(IMPATIENT_HEARTBEAT_MS);
        } else {
            if (!progressWanted) {
                impatient = 0;
            }
            heartbeatIn(
                    progressWanted ? Math.min(heartbeatIntervalMs, 10 * IMPATIENT_HEARTBEAT_MS) : heartbeatIntervalMs);
        }
    }

    @Override
    public CompletionStage<Void> caughtUp() {
        return caughtUp.minimalCompletionStage();
    }

    @Override
    public CompletionStage<Void> readyToUnfence() {
        executor.run(() -> {
            ready = true;
            impatient = 0;
            heartbeat();
        });
        return unfenced.minimalCompletionStage();
    }

    @Override
    public CompletionStage<Void> beginControlledShutdown() {
        executor.run(() -> {
            switch (state) {
                case RUNNING -> {
                    state = State.PENDING_CONTROLLED_SHUTDOWN;
                    impatient = 0;
                    heartbeat();
                }
                case NOT_RUNNING, STARTING, RECOVERY -> {
                    end();
                    letGo.complete(null);
                }
                case PENDING_CONTROLLED_SHUTDOWN, SHUTTING_DOWN -> LOG.debug("already {}", state);
            }
        });
        return letGo.minimalCompletionStage();
    }

    private void end() {
        state = State.SHUTTING_DOWN;
    }

    /** No heartbeat leaves any more; who waits for progress learns that there will be none. */
    void close() {
        ControlPlaneException closed = new ControlPlaneException(
                Reason.NOT_RUNNING,
                "the control plane was closed while broker " + settings.nodeId() + " was "
                        + state.name().toLowerCase(Locale.ROOT));
        end();
        registered.completeExceptionally(closed);
        caughtUp.completeExceptionally(closed);
        unfenced.completeExceptionally(closed);
        letGo.complete(null);
    }

    @Override
    public long brokerEpoch() {
        return brokerEpoch;
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public boolean fenced() {
        return fenced;
    }

    @Override
    public void directoryFailed(Uuid directoryId, long timeoutMs) {
        executor.run(() -> {
            failedDirectories.add(directoryId);
            heartbeat();
        });
        executor.after(timeoutMs, () -> {
            if (state != State.SHUTTING_DOWN && !acknowledgedDirectories.contains(directoryId)) {
                faults.fatal("failed directory")
                        .handleFault(
                                "no controller has taken notice of " + directoryId + " within " + timeoutMs + " ms");
            }
        });
    }
}
