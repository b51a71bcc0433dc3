package io.highwater.controlplane;

import io.highwater.controlplane.ControlPlaneException.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a registered broker's session alive. One heartbeat is on its way at a time; whatever changes meanwhile (caught up, ready, on its way
 * out) is said in the next one, which then leaves at once. Everything but the volatile getters is owned by the control thread.
 */
final class BrokerSession implements BrokerLifecycle {
    /** While the controller has something to finish for us, the usual two seconds between heartbeats would be the slowest part. */
    static final long IMPATIENT_HEARTBEAT_MS = 20;

    /** After this many impatient heartbeats in a row something takes long, and asking often does not help. */
    static final int MAX_IMPATIENT_HEARTBEATS = 50;

    private static final Logger LOG = LoggerFactory.getLogger(BrokerSession.class);

    private final int brokerId;
    private final BrokerRegistration registration;
    private final ControllerChannel channel;
    private final ControlExecutor executor;
    private final Supplier<ClusterImage> image;
    private final Faults faults;
    private final int heartbeatIntervalMs;

    private final CompletableFuture<Long> registered = new CompletableFuture<>();
    private final CompletableFuture<Void> caughtUp = new CompletableFuture<>();
    private final CompletableFuture<Void> unfenced = new CompletableFuture<>();
    private final CompletableFuture<Void> letGo = new CompletableFuture<>();

    private volatile State state = State.NOT_RUNNING;
    private volatile long brokerEpoch = -1;
    private volatile boolean fenced = true;

    private boolean ready;
    private boolean inFlight;
    private boolean sendAgain;
    private int impatient;
    private int timer;
    private Errors lastError = Errors.NONE;
    private final Set<Uuid> failedDirectories = new HashSet<>();
    private final Set<Uuid> acknowledgedDirectories = new HashSet<>();

    /** @param image the newest image; its offset goes into each heartbeat */
    BrokerSession(
            int brokerId,
            BrokerRegistration registration,
            int heartbeatIntervalMs,
            ControllerChannel channel,
            ControlExecutor executor,
            Supplier<ClusterImage> image,
            Faults faults) {
        this.brokerId = brokerId;
        this.registration = registration;
        this.heartbeatIntervalMs = heartbeatIntervalMs;
        this.channel = channel;
        this.executor = executor;
        this.image = image;
        this.faults = faults;
    }

    @Override
    public CompletionStage<Long> register(long previousBrokerEpoch) {
        executor.run(() -> {
            if (state != State.NOT_RUNNING) {
                throw new IllegalStateException("register is called once; state is " + state);
            }
            state = State.STARTING;
            registration.begin(previousBrokerEpoch).whenComplete((epoch, refused) -> {
                if (refused == null) {
                    registeredAs(epoch);
                } else {
                    fail(refused);
                }
            });
        });
        return registered.minimalCompletionStage();
    }

    private void registeredAs(long epoch) {
        brokerEpoch = epoch;
        LOG.info("registered broker {} with epoch {}", brokerId, epoch);
        registered.complete(epoch);
        // Before its own registration is in the image the broker cannot have caught up: the image's arrival sends
        // the first heartbeat.
        if (image.get().offset() >= epoch) {
            heartbeat();
        } else {
            heartbeatIn(IMPATIENT_HEARTBEAT_MS * 5);
        }
    }

    private void fail(Throwable why) {
        end();
        registered.completeExceptionally(why);
        caughtUp.completeExceptionally(why);
        unfenced.completeExceptionally(why);
    }

    /** A controller answered the quorum's client that it knows no such cluster; from any thread. */
    void onForeignCluster() {
        executor.run(() -> ifUnregistered(BrokerRegistration::onForeignCluster));
    }

    /** A controller has this node's id; from any thread. */
    void onTwinController() {
        executor.run(() -> ifUnregistered(BrokerRegistration::onTwinController));
    }

    private void ifUnregistered(Consumer<BrokerRegistration> news) {
        if (state == State.STARTING && brokerEpoch < 0) {
            news.accept(registration);
        }
    }

    /** The control plane is dead: whoever waits for progress learns that there will be none; from any thread. */
    void onFatalFault(String sentence) {
        executor.run(() -> fail(new ControlPlaneException(Reason.NOT_RUNNING, sentence)));
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
                .setBrokerId(brokerId)
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
            if (error != lastError) {
                LOG.warn("the controller refuses heartbeats of broker {} (epoch {}): {}", brokerId, brokerEpoch, error);
            }
            lastError = error;
            heartbeatIn(heartbeatIntervalMs);
            return;
        }
        lastError = Errors.NONE;
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
                LOG.info("broker {} is unfenced", brokerId);
                unfenced.complete(null);
                return false;
            }
            case RUNNING -> {
                if (answer.isFenced() != wasFenced) {
                    LOG.warn("broker {} was {} by the controller", brokerId, answer.isFenced() ? "fenced" : "unfenced");
                }
                return answer.isFenced();
            }
            case PENDING_CONTROLLED_SHUTDOWN -> {
                if (answer.shouldShutDown()) {
                    end();
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
                case NOT_RUNNING, STARTING, RECOVERY -> end();
                case PENDING_CONTROLLED_SHUTDOWN, SHUTTING_DOWN -> LOG.debug("already {}", state);
            }
        });
        return letGo.minimalCompletionStage();
    }

    private void end() {
        state = State.SHUTTING_DOWN;
        letGo.complete(null);
    }

    /** No heartbeat leaves any more; who waits for progress learns that there will be none. */
    void close() {
        ControlPlaneException closed = new ControlPlaneException(
                Reason.NOT_RUNNING,
                "the control plane was closed while broker " + brokerId + " was "
                        + state.name().toLowerCase(Locale.ROOT));
        registration.refuse(closed.reason(), String.valueOf(closed.getMessage()));
        fail(closed);
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
