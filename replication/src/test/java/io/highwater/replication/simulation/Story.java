package io.highwater.replication.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that does only what it is told, line by line. A script is prose, and commands that begin with {@code >}; telling it
 * gives the script back with what happened under each command.
 */
final class Story {
    private static final String INDENT = "    ";

    private final List<String> told = new ArrayList<>();
    private @Nullable Cluster cluster;
    private final List<Narrator> narrators = new ArrayList<>();
    private final Set<Invariant> broken = new HashSet<>();
    private int heard;

    private Story() {}

    /** The script with what happens; whatever it says to happen is left out before. */
    static String tell(List<String> script) {
        Story story = new Story();
        for (String line : script) {
            if (line.startsWith("> ")) {
                story.told.add(line);
                story.perform(line.substring(2).trim().split(" +"));
            } else if (!line.startsWith(INDENT)) {
                story.told.add(line);
            }
        }
        return String.join("\n", story.told) + "\n";
    }

    private void perform(String[] words) {
        switch (words[0]) {
            case "cluster" -> found(words);
            case "produce" -> produce(words);
            case "read" -> read(broker(words[1]), Long.parseLong(words[2]));
            case "fetch" -> {
                for (int i = 1; i < words.length; i++) {
                    fetch(broker(words[i]));
                }
            }
            case "kill" -> broker(words[1]).die();
            case "power-off" -> {
                broker(words[1]).die();
                broker(words[1]).log().loseAllUnflushed();
            }
            case "wipe" -> broker(words[1]).loseDisk();
            case "stop" -> stop(broker(words[1]));
            case "start" -> broker(words[1]).start();
            case "flush" -> broker(words[1]).flush();
            case "checkpoint" -> broker(words[1]).checkpoint();
            case "heartbeat" -> broker(words[1]).heartbeat();
            case "fence" -> cluster().controller.fence(Integer.parseInt(words[1]));
            case "cut" -> connect(broker(words[1]), false);
            case "heal" -> connect(broker(words[1]), true);
            case "wait" -> run(Long.parseLong(words[1]));
            case "tick" -> broker(words[1]).tick();
            case "state" -> state();
            case "log" -> {
                SimulatedLog log = broker(words[1]).log();
                told.add(INDENT + words[1] + " holds " + log.describe(log.logStartOffset(), log.logEndOffset()));
            }
            default -> throw new IllegalArgumentException(String.join(" ", words));
        }
        run(0);
        hear();
    }

    /** cluster BROKERS MIN [SABOTAGE], all of them started. */
    private void found(String[] words) {
        Rules rules = words.length > 3 ? Sabotage.valueOf(words[3]).rules() : Rules.KAFKA;
        Settings settings = Settings.story(Integer.parseInt(words[1]), Integer.parseInt(words[2]), 500);
        cluster = new Cluster(settings, rules, 0, new Transcript(true, false));
        narrators.clear();
        broken.clear();
        cluster.brokers.forEach(broker -> {
            broker.start();
            run(0);
        });
        heard = cluster.transcript.lines().size();
        state();
    }

    /** produce BROKER ACKS NAME [COUNT]: the next records of that producer. */
    private void produce(String[] words) {
        int count = words.length > 4 ? Integer.parseInt(words[4]) : 1;
        int acks = words[2].equals("all") ? -1 : Integer.parseInt(words[2]);
        Narrator producer = narrator(words[3]);
        Produce request = new Produce(words[3], producer.nextSequence, count, acks, false);
        producer.nextSequence += count;
        String what = words[3] + request.firstSequence() + (count == 1 ? "" : ".." + words[3] + request.lastSequence());
        Broker leader = broker(words[1]);
        cluster()
                .network
                .<Produced>call(
                        producer,
                        leader,
                        Network.Channel.DATA,
                        reply -> leader.onProduce(request, produced -> {
                            cluster().history.onAnswered(leader, request, produced);
                            reply.accept(produced);
                        }),
                        produced -> cluster()
                                .say(
                                        "producer: %s is %s",
                                        what, produced.isGood() ? "acknowledged" : "refused, " + produced.refusal()),
                        () -> cluster().say("producer: %s is not answered", what));
    }

    private void read(Broker server, long offset) {
        Fetched fetched = server.onRead(offset);
        cluster().history.onRead(server, offset, fetched);
        cluster()
                .say(
                        "consumer: from %d on %s",
                        offset, fetched.isRefused() ? fetched.answer() : summary(fetched.records()));
    }

    private static String summary(List<Entry> records) {
        return records.isEmpty()
                ? "there is nothing to read"
                : "reads " + records.get(0) + (records.size() == 1 ? "" : " to " + records.get(records.size() - 1));
    }

    private void fetch(Broker broker) {
        Following following = broker.following();
        if (following == null) {
            throw new IllegalStateException(broker.id + " does not follow");
        }
        following.fetch();
        run(0);
    }

    private void stop(Broker broker) {
        broker.stopGently();
        broker.heartbeat();
        run(0);
        broker.heartbeat();
    }

    private void connect(Broker broker, boolean healed) {
        for (Node peer : cluster().nodes()) {
            if (peer != broker && !(peer instanceof Client)) {
                if (healed) {
                    cluster().network.heal(broker, peer);
                    cluster().network.heal(peer, broker);
                } else {
                    cluster().network.cut(broker, peer);
                    cluster().network.cut(peer, broker);
                }
            }
        }
    }

    private void state() {
        for (Broker broker : cluster().brokers) {
            SimulatedLog log = broker.log();
            Leading leading = broker.leading();
            String role = !broker.isUp() ? "down" : leading != null ? "leads" : "follows";
            told.add(String.format(
                            Locale.ROOT,
                            "%s%d %-8s epoch %-3d log %d..%-6d high watermark %-6d %s",
                            INDENT,
                            broker.id,
                            role,
                            broker.leaderEpoch(),
                            log.logStartOffset(),
                            log.logEndOffset(),
                            broker.highWatermark(),
                            leading == null
                                    ? ""
                                    : "in sync "
                                            + leading.replica().inSyncReplicas().stream()
                                                    .sorted()
                                                    .toList())
                    .stripTrailing());
        }
    }

    private void run(long ms) {
        long endMs = cluster().timeline.nowMs() + ms;
        boolean more = true;
        while (more) {
            more = cluster().timeline.step(endMs);
            judge();
        }
    }

    private void judge() {
        cluster().history.observe();
        for (Invariant invariant : Invariants.ALL) {
            if (invariant.counterexample(cluster()) != null && broken.add(invariant)) {
                cluster().say("!! no longer true: %s", invariant);
            }
        }
        cluster().history.endEvent();
    }

    private void hear() {
        List<String> lines = cluster().transcript.lines();
        while (heard < lines.size()) {
            told.add(INDENT + lines.get(heard++));
        }
    }

    private Narrator narrator(String name) {
        for (Narrator known : narrators) {
            if (known.name().equals(name)) {
                return known;
            }
        }
        Narrator created = new Narrator(100 + narrators.size(), name, cluster());
        narrators.add(created);
        return created;
    }

    private static final class Narrator extends Client {
        private int nextSequence;

        Narrator(int id, String name, Cluster cluster) {
            super(id, name, cluster);
        }
    }

    private Broker broker(String id) {
        return cluster().broker(Integer.parseInt(id));
    }

    private Cluster cluster() {
        if (cluster == null) {
            throw new IllegalStateException("a story begins with a cluster");
        }
        return cluster;
    }
}
