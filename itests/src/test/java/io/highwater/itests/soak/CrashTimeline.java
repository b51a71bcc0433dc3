package io.highwater.itests.soak;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;

/**
 * What followed the death of a partition's leader, put together when it is over: from the test, from the log of the controller that fenced the broker,
 * and from what the others remember. All read the clock of this machine, in milliseconds; each entry says who read it. For one thread.
 */
final class CrashTimeline {
    private static final DateTimeFormatter LOGGED = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");
    private static final Pattern FENCED = Pattern.compile("(?m)^(\\S+ \\S+) INFO +\\S+ - Broker (\\d+) is fenced: (.*?)"
            + " and \\S+ refuses connections; its session would have lasted (\\d+) ms more");
    private static final long SESSION_MS = 9_000;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private record Entry(long wallMs, String what, String who) {}

    private final Cluster cluster;
    private final TopicPartition partition;
    private final int dead;
    private final List<Entry> entries = new ArrayList<>();
    private long killedMs;

    /** @param dead the broker that leads and will die */
    CrashTimeline(Cluster cluster, TopicPartition partition, int dead) {
        this.cluster = cluster;
        this.partition = partition;
        this.dead = dead;
    }

    /** SIGKILL. */
    void kill(Node node) {
        killedMs = System.currentTimeMillis();
        note(killedMs, "SIGKILL", "the test");
        node.kill();
        note(System.currentTimeMillis(), "the process is gone", "the test");
    }

    /** The test has seen something. */
    void note(long wallMs, String what, String who) {
        entries.add(new Entry(wallMs, what, who));
    }

    /** Asks the others, and returns a table. Before the dead one is started again. */
    String table() {
        fencing();
        Awaitility.await().ignoreExceptions().untilAsserted(this::roles);
        StringBuilder table = new StringBuilder("| ms | what | by the clock of |\n| ---: | --- | --- |\n");
        entries.stream()
                .sorted(Comparator.comparingLong(Entry::wallMs))
                .forEach(entry -> table.append(
                        "| %d | %s | %s |\n".formatted(entry.wallMs() - killedMs, entry.what(), entry.who())));
        return table.toString();
    }

    /** Whose session ended in the ordinary way, nobody says when it was heard of last. */
    private void fencing() {
        for (Node node : cluster.nodes()) {
            Matcher fenced = FENCED.matcher(node.console());
            while (node.id() != dead && fenced.find()) {
                long loggedMs = LocalDateTime.parse(fenced.group(1), LOGGED)
                        .atZone(ZoneId.systemDefault())
                        .toInstant()
                        .toEpochMilli();
                if (Integer.parseInt(fenced.group(2)) == dead && loggedMs >= killedMs) {
                    String who = "controller " + node.id() + ", its log";
                    long heardMs = loggedMs - (SESSION_MS - Long.parseLong(fenced.group(4)));
                    String heard = heardMs < killedMs
                            ? "last heartbeat of broker " + dead
                            : "a controller that took over counts its session";
                    note(heardMs, heard + ", about", who + ": what was left of the session");
                    note(loggedMs, "fenced, and another leader elected: " + fenced.group(3), who);
                }
            }
        }
    }

    private void roles() {
        List<Entry> roles = new ArrayList<>();
        for (Object each : events()) {
            JsonObject event = (JsonObject) each;
            boolean leads = event.getString("kind").equals("LEADING");
            if (leads || event.getString("kind").equals("FOLLOWING")) {
                roles.add(new Entry(
                        event.getLong("wallMs"),
                        "broker " + event.getInteger("broker") + (leads ? " leads" : " follows") + " in epoch "
                                + event.getInteger("leaderEpoch"),
                        "broker " + event.getInteger("broker") + ", its journal"));
            }
        }
        if (roles.size() < Cluster.SIZE - 1) {
            throw new AssertionError("not all have told: " + roles);
        }
        entries.addAll(roles);
    }

    private JsonArray events() {
        Node alive = cluster.nodes().get(dead % Cluster.SIZE);
        URI uri = URI.create("http://127.0.0.1:" + cluster.httpPort(alive.id()) + "/api/events?partition=" + partition
                + "&since=" + killedMs);
        try {
            return new JsonObject(CLIENT.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                            .body())
                    .getJsonArray("events");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
