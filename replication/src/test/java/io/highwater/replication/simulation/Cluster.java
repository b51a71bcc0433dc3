package io.highwater.replication.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Brokers, a controller and a network, with one partition that lives on all brokers; one thread, one clock, one dice. */
final class Cluster {
    final Settings settings;
    final Rules rules;
    final Random random;
    final Timeline timeline = new Timeline();
    final Transcript transcript;
    final History history;
    final Network network;
    final Controller controller;
    final List<Broker> brokers = new ArrayList<>();
    final List<Producer> producers = new ArrayList<>();
    final List<Consumer> consumers = new ArrayList<>();

    Cluster(Settings settings, Rules rules, long seed, Transcript transcript) {
        this.settings = settings;
        this.rules = rules;
        this.random = new Random(seed);
        this.transcript = transcript;
        this.history = new History(this);
        this.network = new Network(this);
        List<Integer> replicas = new ArrayList<>();
        for (int id = 1; id <= settings.brokers(); id++) {
            replicas.add(id);
            brokers.add(new Broker(id, this));
        }
        this.controller = new Controller(this, List.copyOf(replicas));
    }

    Broker broker(int id) {
        return brokers.get(id - 1);
    }

    /** All that listen on the network. */
    List<Node> nodes() {
        List<Node> nodes = new ArrayList<>(brokers);
        nodes.add(controller);
        nodes.addAll(producers);
        nodes.addAll(consumers);
        return nodes;
    }

    int minInSync() {
        return Math.min(settings.minInSync(), settings.brokers());
    }

    void say(String format, Object... values) {
        transcript.say(timeline.nowMs(), format, values);
    }
}
