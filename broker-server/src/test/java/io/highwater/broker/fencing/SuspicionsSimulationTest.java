package io.highwater.broker.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.fencing.FencingEffect.Dial;
import io.highwater.broker.fencing.FencingEffect.Drop;
import io.highwater.broker.fencing.FencingEffect.Fence;
import io.highwater.broker.peer.ListenerProbe.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Brokers that live and die, hang up for no reason, go silent and register anew, controllers that come and go, and dials that take their time. Whoever is
 * fenced had refused; whoever stays dead while a controller stays is found.
 */
class SuspicionsSimulationTest {
    private static final int BROKERS = 12;
    private static final long STEP_MS = 50;
    private static final int STEPS = 12_000;

    /** Three looks in a row may come to nothing. */
    private static final long FOUND_WITHIN_MS = 12_000;

    private static final FencingSettings SETTINGS = new FencingSettings(0, "BROKER", 200, 2_000, 9_000);

    private final Suspicions suspicions = new Suspicions(SETTINGS);
    private final List<Broker> brokers = new ArrayList<>();
    private final List<Call> calls = new ArrayList<>();
    private long nowMs = 1_000;
    private long activeSinceMs = -1;
    private long lastEpoch;
    private int found;

    private static final class Broker {
        final int id;
        long epoch;
        boolean alive = true;
        boolean unfenced = true;
        boolean reached;
        long diedMs;
        long nextHeartbeatMs;
        int connection;

        Broker(int id) {
            this.id = id;
        }
    }

    private record Call(Dial dial, Outcome outcome, long atMs) {}

    static LongStream seeds() {
        Long seed = Long.getLong("seed");
        return seed == null ? LongStream.rangeClosed(1, 20) : LongStream.of(seed);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void onlyTheDeadAreFencedAndAllOfThemSoon(long seed) {
        Random random = new Random(seed);
        for (int id = 1; id <= BROKERS; id++) {
            Broker broker = new Broker(id);
            broker.epoch = ++lastEpoch;
            brokers.add(broker);
        }
        for (int step = 0; step < STEPS; step++) {
            nowMs += STEP_MS;
            happen(random);
            heartbeats();
            answers();
            perform(suspicions.onLook(activeSinceMs >= 0, unfenced(), nowMs), random);
            noDeadIsOverlooked();
        }
        assertThat(found).as("brokers found dead").isGreaterThan(3);
    }

    private void happen(Random random) {
        if (random.nextInt(2_000) == 0) {
            activeSinceMs = activeSinceMs < 0 ? nowMs : -1;
        }
        Broker broker = brokers.get(random.nextInt(BROKERS));
        int dice = random.nextInt(400);
        if (dice == 0 && broker.alive) {
            broker.alive = false;
            broker.diedMs = nowMs;
            hangUp(broker);
        } else if (dice < 4 && broker.alive) {
            hangUp(broker);
        } else if (dice < 8 && broker.alive) {
            broker.nextHeartbeatMs += random.nextInt(8_000);
        } else if (dice < 10 && !broker.alive && !broker.unfenced) {
            broker.alive = true;
            broker.unfenced = true;
            broker.reached = false;
            broker.epoch = ++lastEpoch;
            broker.nextHeartbeatMs = nowMs;
        } else if (dice < 11 && !broker.alive && nowMs - broker.diedMs > SETTINGS.sessionTimeoutMs()) {
            broker.unfenced = false;
        }
    }

    private void hangUp(Broker broker) {
        suspicions.onConnectionEnded(broker.id, broker.id + "-" + broker.connection++, nowMs);
    }

    private void heartbeats() {
        for (Broker broker : brokers) {
            if (broker.alive && nowMs >= broker.nextHeartbeatMs) {
                broker.nextHeartbeatMs = nowMs + SETTINGS.heartbeatIntervalMs();
                suspicions
                        .onHeartbeat(broker.id, broker.epoch, broker.id + "-" + broker.connection, nowMs)
                        .forEach(effect -> assertThat(effect).isInstanceOf(Drop.class));
            }
        }
    }

    /** A dial is decided when it is made, and heard of later. */
    private void answers() {
        for (Call call : List.copyOf(calls)) {
            if (nowMs >= call.atMs()) {
                calls.remove(call);
                perform(suspicions.onDialed(call.dial(), call.outcome(), nowMs), null);
            }
        }
    }

    private void perform(List<FencingEffect> effects, @Nullable Random random) {
        for (FencingEffect effect : effects) {
            if (effect instanceof Dial dial && random != null) {
                Broker broker = brokers.get(dial.brokerId() - 1);
                Outcome outcome =
                        random.nextInt(50) == 0 ? Outcome.UNCLEAR : broker.alive ? Outcome.CONNECTED : Outcome.REFUSED;
                broker.reached |= outcome == Outcome.CONNECTED && dial.brokerEpoch() == broker.epoch;
                calls.add(new Call(dial, outcome, nowMs + random.nextInt(120)));
                assertThat(calls).hasSizeLessThanOrEqualTo(Suspicions.MAX_DIALS_AT_ONCE);
            } else if (effect instanceof Fence fence) {
                fenced(fence);
            }
        }
    }

    private void fenced(Fence fence) {
        Broker broker = brokers.get(fence.brokerId() - 1);
        assertThat(activeSinceMs).as("the active controller").isNotNegative();
        assertThat(fence.brokerEpoch()).isEqualTo(broker.epoch);
        assertThat(broker.alive).as("broker %d lives", broker.id).isFalse();
        assertThat(nowMs - broker.diedMs).isGreaterThanOrEqualTo(SETTINGS.graceMs());
        broker.unfenced = false;
        found++;
    }

    private void noDeadIsOverlooked() {
        for (Broker broker : brokers) {
            long knownMs = Math.max(broker.diedMs, activeSinceMs);
            if (!broker.alive && broker.unfenced && broker.reached && activeSinceMs >= 0) {
                assertThat(nowMs - knownMs).as("broker %d is dead", broker.id).isLessThan(FOUND_WITHIN_MS);
            }
        }
    }

    private Map<Integer, Long> unfenced() {
        Map<Integer, Long> unfenced = new HashMap<>();
        brokers.stream().filter(one -> one.unfenced).forEach(one -> unfenced.put(one.id, one.epoch));
        return unfenced;
    }
}
