package io.highwater.replication.simulation;

/** Somebody outside, who goes by the metadata of whichever broker he asked last. */
abstract class Client extends Node {
    private final String name;
    private int leader = 1;

    Client(int id, String name, Cluster cluster) {
        super(id, cluster);
        this.name = name;
        boot();
    }

    @Override
    final String title() {
        return name;
    }

    final String name() {
        return name;
    }

    final Broker leader() {
        return cluster.broker(leader);
    }

    final Broker anybody() {
        return cluster.brokers.get(cluster.random.nextInt(cluster.brokers.size()));
    }

    final void refresh() {
        Broker asked = anybody();
        Image known = asked.known();
        if (asked.isUp() && known != null && known.partition().leader() > 0) {
            leader = known.partition().leader();
        }
    }
}
