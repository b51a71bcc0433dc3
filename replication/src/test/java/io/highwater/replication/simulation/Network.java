package io.highwater.replication.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Delays, loses, cuts one way; never reorders what one node sends to another on one channel. Requests get an answer, or fail: at once when the
 * connection breaks, by a timeout when there is only silence.
 */
final class Network {
    private final Cluster cluster;
    private final Random random;
    private final Set<Link> cuts = new HashSet<>();
    private final Map<Lane, Integer> extraDelayMs = new HashMap<>();
    private final Map<Lane, Long> lastArrivalMs = new HashMap<>();
    private final List<Call<?>> open = new ArrayList<>();

    /** Connections between the same two that do not wait for each other. */
    enum Channel {
        DATA,
        HEARTBEATS,
        PROPOSALS,
        METADATA
    }

    private record Link(int from, int to) {}

    private record Lane(int from, int to, Channel channel) {}

    /** A request that is not answered yet. */
    private static final class Call<A> {
        final Node from;
        final Node to;
        final int life;
        final Consumer<A> onAnswer;
        final Runnable onFailure;
        boolean over;

        Call(Node from, Node to, Consumer<A> onAnswer, Runnable onFailure) {
            this.from = from;
            this.to = to;
            this.life = from.life();
            this.onAnswer = onAnswer;
            this.onFailure = onFailure;
        }
    }

    Network(Cluster cluster) {
        this.cluster = cluster;
        this.random = cluster.random;
    }

    /**
     * A request.
     *
     * @param serve runs at the receiver, and is given a way to answer, now or later
     * @param onFailure runs at the sender instead of {@code onAnswer}
     */
    <A> void call(
            Node from,
            Node to,
            Channel channel,
            Consumer<Consumer<A>> serve,
            Consumer<A> onAnswer,
            Runnable onFailure) {
        Call<A> call = new Call<>(from, to, onAnswer, onFailure);
        open.add(call);
        send(from, to, channel, () -> {
            if (!to.isUp()) {
                send(to, from, channel, () -> fail(call));
                return;
            }
            int life = to.life();
            to.meets(
                    life,
                    () -> serve.accept(answer -> {
                        if (to.isUp() && to.life() == life) {
                            send(to, from, channel, () -> finish(call, answer));
                        }
                    }));
        });
        cluster.timeline.after(cluster.settings.callTimeoutMs(), () -> fail(call));
    }

    /** A message without an answer. */
    void tell(Node from, Node to, Channel channel, Runnable onArrival) {
        send(from, to, channel, () -> to.meets(to.life(), onArrival));
    }

    /** A process has died: its system closes its connections. */
    void onDied(Node dead) {
        for (Node peer : cluster.nodes()) {
            if (peer != dead) {
                reset(dead, peer);
                reset(peer, dead);
            }
        }
    }

    /** The connection that {@code client} has opened to {@code server} breaks. Both notice, unless silence is all they get. */
    void reset(Node client, Node server) {
        for (Call<?> call : List.copyOf(open)) {
            if (call.from == client && call.to == server) {
                send(server, client, Channel.DATA, () -> fail(call));
            }
        }
        tell(client, server, Channel.DATA, () -> server.onDisconnected(client));
    }

    void cut(Node from, Node to) {
        cuts.add(new Link(from.id, to.id));
    }

    void heal(Node from, Node to) {
        cuts.remove(new Link(from.id, to.id));
    }

    void slowDown(Node from, Node to, Channel channel, int delayMs) {
        extraDelayMs.put(new Lane(from.id, to.id, channel), delayMs);
    }

    void healAll() {
        cuts.clear();
        extraDelayMs.clear();
    }

    private void send(Node from, Node to, Channel channel, Runnable onArrival) {
        Link link = new Link(from.id, to.id);
        Lane lane = new Lane(from.id, to.id, channel);
        if (cuts.contains(link)) {
            return;
        }
        int extra = extraDelayMs.getOrDefault(lane, 0);
        long delayMs = latencyMs() + (extra == 0 ? 0 : extra / 2 + random.nextInt(extra));
        long arrivalMs = Math.max(cluster.timeline.nowMs() + delayMs, lastArrivalMs.getOrDefault(lane, 0L));
        lastArrivalMs.put(lane, arrivalMs);
        cluster.timeline.at(arrivalMs, () -> {
            if (!cuts.contains(link)) {
                onArrival.run();
            }
        });
    }

    private long latencyMs() {
        int max = cluster.settings.maxLatencyMs();
        return max == 0 ? 0 : 1 + random.nextInt(max);
    }

    private <A> void finish(Call<A> call, A answer) {
        close(call, () -> call.onAnswer.accept(answer));
    }

    private void fail(Call<?> call) {
        close(call, call.onFailure);
    }

    private void close(Call<?> call, Runnable then) {
        if (!call.over) {
            call.over = true;
            open.remove(call);
            call.from.meets(call.life, then);
        }
    }
}
