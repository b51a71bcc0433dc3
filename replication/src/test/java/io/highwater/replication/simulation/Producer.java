package io.highwater.replication.simulation;

import io.highwater.replication.simulation.Network.Channel;

/** Sends one batch after the other, and each again until it is taken. */
final class Producer extends Client {
    private static final int PATIENCE = 20;

    private final int acks;
    private final boolean idempotent;

    /** A producer that cannot go on, because its records were lost, starts anew under another name. */
    private int generation;

    private int nextSequence;
    private int refusals;
    private boolean waiting;
    private boolean retired;

    Producer(int id, String name, int acks, boolean idempotent, Cluster cluster) {
        super(id, name, cluster);
        this.acks = acks;
        this.idempotent = idempotent;
    }

    void start() {
        later(100 + cluster.random.nextInt(800), this::sendNext);
    }

    /** Sends nothing new any more. */
    void retire() {
        retired = true;
    }

    boolean isWaiting() {
        return waiting;
    }

    private void sendNext() {
        if (!retired) {
            waiting = true;
            send(new Produce(identity(), nextSequence, 1, acks, idempotent));
        }
    }

    private void send(Produce request) {
        Broker leader = leader();
        cluster.network.<Produced>call(
                this,
                leader,
                Channel.DATA,
                reply -> leader.onProduce(request, produced -> {
                    cluster.history.onAnswered(leader, request, produced);
                    reply.accept(produced);
                }),
                produced -> onAnswer(request, produced),
                () -> again(request));
    }

    private void onAnswer(Produce request, Produced produced) {
        if (produced.isGood()) {
            done(request);
        } else if (produced.outOfOrder() && ++refusals > PATIENCE) {
            cluster.say("%s cannot go on and starts anew", identity());
            generation++;
            nextSequence = 0;
            refusals = 0;
            waiting = false;
            sendNext();
        } else {
            again(request);
        }
    }

    private void again(Produce request) {
        if (acks == 0) {
            done(request);
            return;
        }
        refresh();
        later(100, () -> send(request));
    }

    private void done(Produce request) {
        waiting = false;
        refusals = 0;
        nextSequence = request.lastSequence() + 1;
        start();
    }

    private String identity() {
        return generation == 0 ? name() : name() + generation + "#";
    }
}
