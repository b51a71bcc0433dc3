package io.highwater.controlplane;

import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Uuid;

/**
 * This broker's standing with the controller: registered, caught up, unfenced, on its way out. All methods may be called from
 * any thread and return at once; stages complete on the lifecycle's own thread, so a callback must be short or hop.
 */
public interface BrokerLifecycle {
    /** Where the broker stands; the codes are those of Kafka's {@code BrokerState} metric. */
    enum State {
        /** Nothing is running yet. */
        NOT_RUNNING(0),
        /** Registering, or registered and catching up with the metadata log. */
        STARTING(1),
        /** Caught up; the broker is loading its logs. */
        RECOVERY(2),
        /** Unfenced: serves clients. */
        RUNNING(3),
        /** Has asked the controller to move its leaderships away. */
        PENDING_CONTROLLED_SHUTDOWN(6),
        /** The end. */
        SHUTTING_DOWN(7);

        private final int code;

        State(int code) {
            this.code = code;
        }

        /** The number that the {@code BrokerState} metric shows. */
        public int code() {
            return code;
        }
    }

    /**
     * Registers this broker and keeps its session alive from now on. Call once, after the listeners accept connections, since the
     * registration names them.
     *
     * @param previousBrokerEpoch the epoch that the clean-shutdown marker holds, or -1
     * @return the new broker epoch; fails with {@link ControlPlaneException} when the registration is refused for good or no
     *     controller answers within {@code initial.broker.registration.timeout.ms}
     */
    CompletionStage<Long> register(long previousBrokerEpoch);

    /** Completes when this node's image has reached its own registration; logs may be loaded from here on. */
    CompletionStage<Void> caughtUp();

    /**
     * Tells the controller that this broker can serve.
     *
     * @return completes when it is unfenced
     */
    CompletionStage<Void> readyToUnfence();

    /**
     * Asks the controller to move this broker's leaderships away.
     *
     * @return completes when the controller lets it go; boot bounds the wait. Completes at once if the broker never registered.
     */
    CompletionStage<Void> beginControlledShutdown();

    /** The epoch of this registration, or -1 before it. */
    long brokerEpoch();

    /** Where the broker stands. */
    State state();

    /** Whether the last heartbeat's answer said that this broker is fenced; true before the first. */
    boolean fenced();

    /**
     * Reports a failed log directory with each heartbeat from now on; the controller moves leaderships off it.
     *
     * @param timeoutMs {@code log.dir.failure.timeout.ms}: when no controller has taken notice by then, {@link FatalFaults} is told, since
     *     clients would go on waiting for leaders that cannot serve
     */
    void directoryFailed(Uuid directoryId, long timeoutMs);
}
