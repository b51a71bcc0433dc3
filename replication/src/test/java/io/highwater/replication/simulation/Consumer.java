package io.highwater.replication.simulation;

import io.highwater.replication.simulation.Network.Channel;

/** Reads what is committed, from the leader or now and then from a follower. */
final class Consumer extends Client {
    private long position;

    Consumer(int id, String name, Cluster cluster) {
        super(id, name, cluster);
    }

    void start() {
        later(50 + cluster.random.nextInt(300), this::read);
    }

    private void read() {
        Broker server = cluster.random.nextInt(8) == 0 ? anybody() : leader();
        long asked = position;
        cluster.network.<Fetched>call(
                this,
                server,
                Channel.DATA,
                reply -> {
                    Fetched fetched = server.onRead(asked);
                    cluster.history.onRead(server, asked, fetched);
                    reply.accept(fetched);
                },
                fetched -> onRead(asked, fetched),
                this::retry);
    }

    private void onRead(long asked, Fetched fetched) {
        if (fetched.isRefused()) {
            // Either a replica that is not so far yet, or the head of the log is gone, or its tail was lost.
            position = cluster.history.readableFrom(position);
            retry();
        } else {
            position = asked + fetched.records().size();
            start();
        }
    }

    private void retry() {
        refresh();
        start();
    }
}
