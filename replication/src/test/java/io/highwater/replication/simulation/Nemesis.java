package io.highwater.replication.simulation;

import io.highwater.replication.simulation.Network.Channel;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Everything that goes wrong, one thing after the other and several at once. */
final class Nemesis {
    private final Cluster cluster;
    private final Random random;

    /** Each seed has its own weather: some faults come often, others not at all. */
    private final Map<Fault, Integer> weights = new EnumMap<>(Fault.class);

    private boolean active = true;

    /** One kind of misfortune. */
    private enum Fault {
        KILL,
        POWER_LOSS,
        CRASH_LOOP,
        BLACKOUT,
        WIPE,
        PAUSE,
        CUT,
        ISOLATE,
        SLOW_LINK,
        SLOW_METADATA,
        SLOW_PROPOSALS,
        FLAPPING,
        CLOCK_JUMP,
        GENTLE_STOP,
        CONTROLLER_PAUSE,
        CONTROLLER_OUT_OF_REACH,
        PREFERRED_ELECTION,
        LOG_HEAD_GOES
    }

    Nemesis(Cluster cluster) {
        this.cluster = cluster;
        this.random = cluster.random;
        for (Fault fault : Fault.values()) {
            weights.put(fault, random.nextInt(3) * random.nextInt(4));
        }
    }

    void start() {
        cluster.timeline.after(300 + random.nextInt(2_200), this::strike);
    }

    /** Faults stop, and what is broken is mended. */
    void calm() {
        active = false;
        cluster.say("-- calm: no more faults");
        cluster.network.healAll();
        cluster.controller.resume();
        for (Broker broker : cluster.brokers) {
            broker.resume();
        }
        mend();
    }

    /** A broker may still be about to stop when the calm begins. */
    private void mend() {
        cluster.brokers.forEach(this::restart);
        cluster.timeline.after(500, this::mend);
    }

    private void strike() {
        if (active) {
            inflict(choose());
            start();
        }
    }

    private Fault choose() {
        int total = 1;
        for (int weight : weights.values()) {
            total += weight;
        }
        int dice = random.nextInt(total);
        for (Map.Entry<Fault, Integer> weight : weights.entrySet()) {
            dice -= weight.getValue();
            if (dice < 0) {
                return weight.getKey();
            }
        }
        return Fault.KILL;
    }

    private void inflict(Fault fault) {
        Broker victim = victim();
        switch (fault) {
            case KILL -> {
                cluster.say("-- kill %d", victim.id);
                victim.die();
                restartLater(victim);
            }
            case POWER_LOSS -> losePower(victim);
            case CRASH_LOOP -> crashAgain(any(cluster.brokers), 2 + random.nextInt(4));
            case BLACKOUT -> {
                for (Broker broker : cluster.brokers) {
                    if (random.nextInt(3) > 0) {
                        losePower(broker);
                    }
                }
            }
            case WIPE -> {
                cluster.say("-- disk of %d dies", victim.id);
                victim.loseDisk();
                restartLater(victim);
            }
            case PAUSE -> pause(victim);
            case CUT -> cut(victim, other(victim), random.nextBoolean());
            case ISOLATE -> {
                for (Node peer : cluster.nodes()) {
                    if (peer != victim && !(peer instanceof Client)) {
                        cut(victim, peer, true);
                    }
                }
            }
            case SLOW_LINK -> slowDown(victim, other(victim), Channel.DATA, 400);
            case SLOW_METADATA -> slowDown(victim, cluster.controller, Channel.METADATA, 5_000);
            case SLOW_PROPOSALS -> {
                // The classic: a follower is seen to be in sync, and crashes before the controller hears of it.
                slowDown(victim, cluster.controller, Channel.PROPOSALS, 5_000);
                crashAgain(other(victim), 2 + random.nextInt(4));
            }
            case FLAPPING -> flap(victim, other(victim), 3 + random.nextInt(10));
            case CLOCK_JUMP -> {
                int jumpMs = 1 + random.nextInt(8_000);
                cluster.say("-- clock of %d jumps by %d ms", victim.id, jumpMs);
                victim.jumpClock(jumpMs);
            }
            case GENTLE_STOP -> {
                if (victim.isUp()) {
                    cluster.say("-- stop %d", victim.id);
                    victim.stopGently();
                    restartLater(victim);
                }
            }
            case CONTROLLER_PAUSE -> pause(cluster.controller);
            case CONTROLLER_OUT_OF_REACH -> cut(victim, cluster.controller, random.nextBoolean());
            case PREFERRED_ELECTION ->
                cluster.controller.meets(cluster.controller.life(), cluster.controller::preferFirst);
            case LOG_HEAD_GOES -> raiseLogStart();
        }
    }

    private void losePower(Broker victim) {
        cluster.say("-- power loss at %d", victim.id);
        victim.losePower();
        restartLater(victim);
    }

    private void pause(Node victim) {
        cluster.say("-- pause %s", victim.title());
        victim.pause();
        later(5_000, () -> {
            cluster.say("-- %s goes on", victim.title());
            victim.resume();
        });
    }

    private void cut(Node from, Node to, boolean bothWays) {
        cluster.say("-- cut %s to %s%s", from.title(), to.title(), bothWays ? " and back" : "");
        cluster.network.cut(from, to);
        if (bothWays) {
            cluster.network.cut(to, from);
        }
        later(6_000, () -> {
            cluster.network.heal(from, to);
            cluster.network.heal(to, from);
        });
    }

    private void slowDown(Node a, Node b, Channel channel, int maxDelayMs) {
        int delayMs = 10 + random.nextInt(maxDelayMs);
        cluster.say("-- some %d ms between %s and %s for %s", delayMs, a.title(), b.title(), channel);
        cluster.network.slowDown(a, b, channel, delayMs);
        cluster.network.slowDown(b, a, channel, delayMs);
        later(8_000, () -> {
            cluster.network.slowDown(a, b, channel, 0);
            cluster.network.slowDown(b, a, channel, 0);
        });
    }

    /** Starts, and is gone again before long. */
    private void crashAgain(Broker victim, int times) {
        if (times > 0 && active) {
            cluster.say("-- power loss at %d, once more", victim.id);
            if (random.nextInt(4) == 0) {
                victim.loseDisk();
            } else {
                victim.losePower();
            }
            cluster.timeline.after(1 + random.nextInt(300), () -> restart(victim));
            cluster.timeline.after(1_100 + random.nextInt(1_000), () -> crashAgain(victim, times - 1));
        }
    }

    /** The line between two breaks again and again, for a moment or for longer. */
    private void flap(Node a, Node b, int times) {
        if (times > 0 && active) {
            cluster.say("-- %s loses its connection to %s", a.title(), b.title());
            int downMs = random.nextInt(600);
            cluster.network.reset(a, b);
            cluster.timeline.after(5, () -> cluster.network.cut(a, b));
            cluster.timeline.after(5 + downMs, () -> cluster.network.heal(a, b));
            cluster.timeline.after(downMs + random.nextInt(800), () -> flap(a, b, times - 1));
        }
    }

    private void raiseLogStart() {
        for (Broker broker : cluster.brokers) {
            Leading leading = broker.leading();
            if (broker.isUp() && !broker.isPaused() && leading != null) {
                long limit = Math.min(broker.highWatermark(), cluster.history.oldestNeeded());
                if (limit > broker.log().logStartOffset()) {
                    cluster.say("-- %d drops everything below %d", broker.id, limit);
                    leading.raiseLogStart(limit);
                }
            }
        }
    }

    private void restartLater(Broker broker) {
        later(5_000, () -> restart(broker));
    }

    private void restart(Broker broker) {
        if (!broker.isUp()) {
            broker.start();
        }
    }

    private void later(int maxDelayMs, Runnable action) {
        cluster.timeline.after(random.nextInt(10) == 0 ? 1 : random.nextInt(maxDelayMs), action);
    }

    /** Mostly the leader: that hurts most. */
    private Broker victim() {
        int leader = cluster.controller.image().partition().leader();
        return leader != -1 && random.nextBoolean() ? cluster.broker(leader) : any(cluster.brokers);
    }

    private Broker other(Broker victim) {
        Broker other = any(cluster.brokers);
        return other == victim && cluster.brokers.size() > 1 ? other(victim) : other;
    }

    private Broker any(List<Broker> brokers) {
        return brokers.get(random.nextInt(brokers.size()));
    }
}
