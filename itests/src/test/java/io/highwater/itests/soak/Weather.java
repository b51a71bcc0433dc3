package io.highwater.itests.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One fault after the other, from one seed, each mended before the next. For one thread. */
final class Weather {
    private enum Kind {
        KILL,
        STOP,
        PAUSE,
        CUT
    }

    private static final Duration SHORTEST = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final Random random;
    private final Duration period;
    private final CountDownLatch never = new CountDownLatch(1);
    private final List<String> log = new ArrayList<>();

    /** @param period from one fault to the next; a fault lasts up to three quarters of it */
    Weather(Cluster cluster, long seed, Duration period) {
        this.cluster = cluster;
        this.random = new Random(seed);
        this.period = period;
    }

    /** Returns after so many faults, when the last one is mended. */
    void blow(int faults) throws InterruptedException {
        long startNs = System.nanoTime();
        for (int i = 0; i < faults; i++) {
            long atMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            pass(period.toMillis() * i - atMs);
            // The kinds take turns, so that a short run has seen each.
            fault(Kind.values()[i % Kind.values().length], TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs));
        }
    }

    /** A line for each fault. */
    List<String> log() {
        return log;
    }

    private void fault(Kind kind, long second) throws InterruptedException {
        Node node = cluster.nodes().get(random.nextInt(Cluster.SIZE));
        long longestMs = period.toMillis() * 3 / 4;
        long ms = SHORTEST.toMillis() + random.nextLong(Math.max(1, longestMs - SHORTEST.toMillis()));
        switch (kind) {
            case KILL -> {
                say(second, "kill " + node.id(), ms);
                node.kill();
                pass(ms);
                node.start();
            }
            case STOP -> {
                say(second, "stop " + node.id(), ms);
                node.stop();
                pass(ms);
                node.start();
            }
            case PAUSE -> {
                say(second, "pause " + node.id(), ms);
                node.pause();
                pass(ms);
                node.resume();
            }
            case CUT -> {
                int other = (node.id() + random.nextInt(Cluster.SIZE - 1)) % Cluster.SIZE + 1;
                say(second, "cut " + node.id() + " -> " + other, ms);
                cluster.cut(node.id(), other);
                pass(ms);
                cluster.mend();
            }
        }
    }

    private void say(long second, String what, long ms) {
        String line = "%5d s  %s for %d ms".formatted(second, what, ms);
        log.add(line);
        System.out.println(line);
    }

    /** Time has to pass here: it is what the weather is made of. */
    private void pass(long ms) throws InterruptedException {
        if (ms > 0 && never.await(ms, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("never comes");
        }
    }
}
