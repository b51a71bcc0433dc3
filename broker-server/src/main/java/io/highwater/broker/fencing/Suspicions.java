package io.highwater.broker.fencing;

import io.highwater.broker.fencing.FencingEffect.Dial;
import io.highwater.broker.fencing.FencingEffect.Drop;
import io.highwater.broker.fencing.FencingEffect.Fence;
import io.highwater.broker.fencing.WatchedBroker.Suspicion;
import io.highwater.broker.peer.ListenerProbe.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which brokers are dead although their sessions are not over. A broker is suspected when the connection of its heartbeats ends, when a heartbeat
 * is overdue, or when this controller has just taken over and knows nobody; it is found dead when its listener, which has taken a connection
 * before, refuses {@value #REFUSALS} in a row and no heartbeat comes meanwhile. Anything else is for the session to decide.
 *
 * <p>Pure: no clock, no thread, no I/O. For one thread.
 */
final class Suspicions {
    /** Refusals in a row that it takes, a grace apart. */
    static final int REFUSALS = 2;

    /** On a busy machine a process that dies loses its listener long after its connections. One that lives has sent a heartbeat before these are over. */
    static final int MAX_DIALS = 10;

    /** Dials at a time; further ones wait their turn. */
    static final int MAX_DIALS_AT_ONCE = 8;

    /** A registration that was fenced so often and came back is left to its session from then on. */
    static final int MAX_MISTAKES = 3;

    /** Between two attempts to reach the listener of a broker that nobody suspects. */
    static final long ACQUAINTANCE_MS = 10_000;

    /** No deadline. */
    static final long NEVER = Long.MAX_VALUE;

    private final FencingSettings settings;
    private final Map<Integer, WatchedBroker> brokers = new HashMap<>();
    private boolean active;
    private int dialsUnderWay;
    private long lastDialNumber;

    Suspicions(FencingSettings settings) {
        this.settings = settings;
    }

    /** A heartbeat of the registration that the image has, on that connection. */
    List<FencingEffect> onHeartbeat(int brokerId, long brokerEpoch, String connectionId, long nowMs) {
        if (brokerId == settings.nodeId()) {
            return List.of();
        }
        WatchedBroker broker = watched(brokerId, brokerEpoch, nowMs);
        broker.connectionId = connectionId;
        broker.heardMs = nowMs;
        broker.silenceSeenMs = nowMs;
        broker.endedMs = WatchedBroker.NONE;
        broker.tookOverMs = WatchedBroker.NONE;
        if (broker.fencedMs != WatchedBroker.NONE) {
            // A listener that refuses us while its broker lives proves nothing until it takes a connection again.
            broker.fencedMs = WatchedBroker.NONE;
            broker.mistakes++;
            broker.reachable = false;
            broker.nextAcquaintanceMs = nowMs;
        }
        return broker.suspicion == null ? List.of() : List.of(drop(broker, "it sent a heartbeat"));
    }

    /** Whether the last heartbeat of that broker came on that connection, which lasts. */
    boolean isOn(int brokerId, String connectionId) {
        WatchedBroker broker = brokers.get(brokerId);
        return broker != null && connectionId.equals(broker.connectionId);
    }

    /** A connection that a heartbeat came on has ended. Followed by {@link #onLook}. */
    void onConnectionEnded(int brokerId, String connectionId, long nowMs) {
        WatchedBroker broker = brokers.get(brokerId);
        if (broker != null && connectionId.equals(broker.connectionId)) {
            broker.connectionId = null;
            broker.endedMs = nowMs;
        }
    }

    /**
     * Time has passed, or something has happened.
     *
     * @param isActive whether this node is the active controller
     * @param unfenced epochs by id of the brokers that the newest image has unfenced and not on their way out
     */
    List<FencingEffect> onLook(boolean isActive, Map<Integer, Long> unfenced, long nowMs) {
        List<FencingEffect> effects = new ArrayList<>();
        follow(unfenced, nowMs);
        if (isActive != active) {
            active = isActive;
            brokers.values().forEach(broker -> turn(broker, nowMs));
        }
        for (WatchedBroker broker : brokers.values()) {
            if (broker.suspicion != null && !broker.unfenced) {
                effects.add(drop(broker, "it is fenced or leaving"));
            }
            if (active && broker.unfenced) {
                suspect(broker, nowMs);
            }
            if (dialsUnderWay < MAX_DIALS_AT_ONCE && wantsDial(broker, nowMs)) {
                effects.add(dial(broker));
            }
        }
        return effects;
    }

    /** How a dial went. */
    List<FencingEffect> onDialed(Dial dial, Outcome outcome, long nowMs) {
        dialsUnderWay--;
        WatchedBroker broker = brokers.get(dial.brokerId());
        if (broker == null || broker.dialNumber != dial.number()) {
            return List.of();
        }
        broker.dialNumber = WatchedBroker.NONE;
        broker.reachable |= outcome == Outcome.CONNECTED;
        Suspicion suspicion = broker.suspicion;
        if (suspicion == null) {
            broker.nextAcquaintanceMs = nowMs + ACQUAINTANCE_MS;
            return List.of();
        }
        return switch (outcome) {
            case REFUSED -> refused(broker, suspicion, nowMs);
            case CONNECTED -> notRefused(broker, suspicion, nowMs, "its listener takes connections");
            case UNCLEAR -> notRefused(broker, suspicion, nowMs, "its listener neither takes nor refuses connections");
        };
    }

    /** The controller did not fence it. */
    void onFencingFailed(Fence fence) {
        WatchedBroker broker = brokers.get(fence.brokerId());
        if (broker != null && broker.epoch == fence.brokerEpoch()) {
            broker.fencedMs = WatchedBroker.NONE;
        }
    }

    /**
     * When {@link #onLook} has to be called at the latest for dials that are due; {@link #NEVER} if nobody waits for one, or only for one of those under
     * way to come back.
     */
    long nextDialMs() {
        if (dialsUnderWay >= MAX_DIALS_AT_ONCE) {
            return NEVER;
        }
        long next = NEVER;
        for (WatchedBroker broker : brokers.values()) {
            if (broker.suspicion != null && broker.dialNumber == WatchedBroker.NONE) {
                next = Math.min(next, broker.suspicion.nextDialMs);
            }
        }
        return next;
    }

    private WatchedBroker watched(int brokerId, long brokerEpoch, long nowMs) {
        WatchedBroker broker = brokers.get(brokerId);
        if (broker == null || broker.epoch != brokerEpoch) {
            broker = new WatchedBroker(brokerId, brokerEpoch, nowMs);
            brokers.put(brokerId, broker);
        }
        return broker;
    }

    private void follow(Map<Integer, Long> unfenced, long nowMs) {
        brokers.values()
                .removeIf(broker -> !unfenced.containsKey(broker.id)
                        && broker.dialNumber == WatchedBroker.NONE
                        && nowMs - broker.heardMs > settings.sessionTimeoutMs());
        brokers.values().forEach(broker -> broker.unfenced = false);
        unfenced.forEach((id, epoch) -> {
            if (id != settings.nodeId()) {
                watched(id, epoch, nowMs).unfenced = true;
            }
        });
    }

    /** A controller that becomes the active one gives every broker a whole session; one that is no more has nothing to say. */
    private void turn(WatchedBroker broker, long nowMs) {
        broker.suspicion = null;
        broker.endedMs = WatchedBroker.NONE;
        broker.tookOverMs = active ? nowMs : WatchedBroker.NONE;
        broker.fencedMs = WatchedBroker.NONE;
        broker.heardMs = nowMs;
        broker.silenceSeenMs = nowMs;
    }

    private void suspect(WatchedBroker broker, long nowMs) {
        if (broker.suspicion != null
                || !broker.reachable
                || broker.fencedMs != WatchedBroker.NONE
                || broker.mistakes >= MAX_MISTAKES) {
            return;
        }
        if (broker.endedMs != WatchedBroker.NONE) {
            broker.suspicion = new Suspicion(SuspicionCause.CONNECTION_ENDED, broker.endedMs, nowMs);
        } else if (broker.tookOverMs != WatchedBroker.NONE) {
            broker.suspicion = new Suspicion(SuspicionCause.TOOK_OVER, broker.tookOverMs, nowMs);
        } else if (nowMs - broker.silenceSeenMs > settings.silenceMs()) {
            broker.suspicion = new Suspicion(SuspicionCause.SILENT, broker.heardMs, nowMs);
        } else {
            return;
        }
        broker.endedMs = WatchedBroker.NONE;
        broker.tookOverMs = WatchedBroker.NONE;
        broker.silenceSeenMs = nowMs;
    }

    private static boolean wantsDial(WatchedBroker broker, long nowMs) {
        if (broker.dialNumber != WatchedBroker.NONE || !broker.unfenced) {
            return false;
        }
        return broker.suspicion != null
                ? nowMs >= broker.suspicion.nextDialMs
                : !broker.reachable && nowMs >= broker.nextAcquaintanceMs;
    }

    private Dial dial(WatchedBroker broker) {
        dialsUnderWay++;
        broker.dialNumber = ++lastDialNumber;
        if (broker.suspicion != null) {
            broker.suspicion.dials++;
        }
        return new Dial(broker.id, broker.epoch, broker.dialNumber);
    }

    private List<FencingEffect> refused(WatchedBroker broker, Suspicion suspicion, long nowMs) {
        suspicion.refusals++;
        if (suspicion.refusals == REFUSALS) {
            broker.suspicion = null;
            broker.fencedMs = nowMs;
            return List.of(new Fence(
                    broker.id,
                    broker.epoch,
                    suspicion.cause,
                    nowMs - suspicion.sinceMs,
                    Math.max(0, broker.heardMs + settings.sessionTimeoutMs() - nowMs)));
        }
        suspicion.nextDialMs = nowMs + settings.graceMs();
        return List.of();
    }

    private List<FencingEffect> notRefused(WatchedBroker broker, Suspicion suspicion, long nowMs, String reason) {
        boolean mayBeDying = suspicion.cause == SuspicionCause.CONNECTION_ENDED && suspicion.dials < MAX_DIALS;
        if (!mayBeDying) {
            return List.of(drop(broker, reason));
        }
        suspicion.refusals = 0;
        suspicion.nextDialMs = nowMs + settings.graceMs();
        return List.of();
    }

    private static Drop drop(WatchedBroker broker, String reason) {
        Suspicion suspicion = broker.suspicion;
        if (suspicion == null) {
            throw new IllegalStateException("broker " + broker.id + " is not suspected");
        }
        broker.suspicion = null;
        // What is still under way was asked for another reason.
        broker.dialNumber = WatchedBroker.NONE;
        return new Drop(broker.id, suspicion.cause, reason);
    }
}
