package io.highwater.broker.http;

import io.highwater.broker.view.ClusterReport;
import io.highwater.broker.view.ClusterView;
import io.highwater.broker.view.EventCursor;
import io.highwater.broker.view.EventFilter;
import io.highwater.broker.view.GroupsReport;
import io.highwater.broker.view.PartitionName;
import io.highwater.broker.view.PartitionReport;
import io.highwater.broker.view.WatchedPartitions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one open page is told, at its rate: each part by itself, and only what has changed. The view's thread.
 */
final class LiveStream {
    /** More partitions in one stream are refused. */
    static final int MOST_PARTITIONS = 300;

    static final int DEFAULT_HZ = 5;

    /** Nobody sees more. */
    static final int MOST_HZ = 10;

    /** A reader that takes nothing for so long is given up. */
    static final long DEAF_MS = 30_000;

    private static final long FULL_MS = 5_000;
    private static final long EVENTS_MS = 400;
    private static final long SLOW_MS = 1_000;
    private static final long STILL_HERE_MS = 10_000;
    private static final int FIRST_EVENTS = 200;

    private final ClusterView view;
    private final Wanted wanted;
    private final Sink sink;
    private final LongSupplier monotonicMs;
    private final List<Part> parts = new ArrayList<>();
    private final WatchedPartitions partitions;
    private List<PartitionReport> told = List.of();
    private @Nullable ClusterReport toldCluster;
    private @Nullable GroupsReport toldGroups;
    private Since since;
    private boolean eventsBegun;
    private long toldAllAtMs;
    private long lastSentMs;
    private long lastTakenMs;
    private volatile boolean closed;

    /**
     * What a page wants to be told.
     *
     * @param partitions which, at most {@link #MOST_PARTITIONS}
     * @param events whether it wants events
     * @param since from where on events are told
     * @param cluster whether it wants brokers and topics
     * @param groups whether it wants groups
     * @param hz how often, at most
     */
    record Wanted(
            List<PartitionName> partitions, boolean events, Since since, boolean cluster, boolean groups, int hz) {}

    /** Where it is told. */
    interface Sink {
        /** Whether what was sent has not been taken yet. */
        boolean isBusy();

        void send(String event, Object data);

        void stillHere();

        void end();
    }

    LiveStream(ClusterView view, Wanted wanted, Sink sink, LongSupplier monotonicMs) {
        this.view = view;
        this.wanted = wanted;
        this.partitions = view.watch(wanted.partitions);
        this.since = wanted.since;
        this.sink = sink;
        this.monotonicMs = monotonicMs;
        this.lastSentMs = nowMs();
        this.lastTakenMs = nowMs();
        if (wanted.cluster) {
            parts.add(new Part(SLOW_MS, this::cluster));
        }
        if (wanted.groups) {
            parts.add(new Part(SLOW_MS, this::groups));
        }
        if (!wanted.partitions.isEmpty()) {
            parts.add(new Part(0, this::partitions));
        }
        if (wanted.events) {
            parts.add(new Part(EVENTS_MS, this::events));
        }
    }

    /** One kind of news; at most one question about it is under way. */
    private static final class Part {
        final long periodMs;
        final Supplier<CompletionStage<?>> tell;
        long dueMs = Long.MIN_VALUE;
        volatile boolean underWay;

        Part(long periodMs, Supplier<CompletionStage<?>> tell) {
            this.periodMs = periodMs;
            this.tell = tell;
        }
    }

    private record Partitions(List<PartitionReport> partitions) {}

    long periodMs() {
        return 1_000 / wanted.hz;
    }

    /** Time has passed. */
    void tick() {
        if (closed) {
            return;
        }
        long nowMs = nowMs();
        if (sink.isBusy()) {
            if (nowMs - lastTakenMs > DEAF_MS) {
                close();
                sink.end();
            }
            return;
        }
        lastTakenMs = nowMs;
        for (Part part : parts) {
            if (!part.underWay && part.dueMs <= nowMs) {
                begin(part, nowMs);
            }
        }
        if (nowMs - lastSentMs > STILL_HERE_MS) {
            lastSentMs = nowMs;
            sink.stillHere();
        }
    }

    private void begin(Part part, long nowMs) {
        part.underWay = true;
        part.dueMs = nowMs + part.periodMs;
        try {
            var unused = part.tell.get().whenComplete((done, failure) -> part.underWay = false);
        } catch (RuntimeException e) {
            part.underWay = false; // to be asked again
            throw e;
        }
    }

    private CompletionStage<?> partitions() {
        long nowMs = nowMs();
        boolean all = nowMs - toldAllAtMs >= FULL_MS || told.isEmpty();
        return partitions.look(all).thenAccept(reports -> {
            List<PartitionReport> news = all ? reports : changed(told, reports);
            told = reports;
            if (all) {
                toldAllAtMs = nowMs;
            }
            if (!news.isEmpty()) {
                send("partitions", new Partitions(news));
            }
        });
    }

    // Identity: a report without news is the same object as before.
    @SuppressWarnings("ReferenceEquality")
    private static List<PartitionReport> changed(List<PartitionReport> before, List<PartitionReport> now) {
        List<PartitionReport> changed = new ArrayList<>();
        for (int i = 0; i < now.size(); i++) {
            if (now.get(i) != before.get(i)) {
                changed.add(now.get(i));
            }
        }
        return changed;
    }

    private CompletionStage<?> events() {
        Since from = since;
        int limit = from.isForward() ? EventFilter.MOST : FIRST_EVENTS;
        EventFilter filter = new EventFilter(null, null, -1, from.wallMs(), limit);
        return view.events(filter, from.cursor(), -1).thenAccept(report -> {
            EventCursor next = EventCursor.parse(report.next());
            since = next == null ? from : new Since(next, from.wallMs());
            // The first answer is told even if nothing has happened: who comes back has to know where to go on.
            if (!report.events().isEmpty() || !eventsBegun) {
                send("events", report);
            }
            eventsBegun = true;
        });
    }

    private CompletionStage<?> cluster() {
        return view.cluster().thenAccept(report -> {
            if (report.isNewsAfter(toldCluster)) {
                toldCluster = report;
                send("cluster", report);
            }
        });
    }

    private CompletionStage<?> groups() {
        return view.groups().thenAccept(report -> {
            if (!report.equals(toldGroups)) {
                toldGroups = report;
                send("groups", report);
            }
        });
    }

    private void send(String event, Object data) {
        if (!closed) {
            lastSentMs = nowMs();
            sink.send(event, data);
        }
    }

    void close() {
        closed = true;
    }

    private long nowMs() {
        return monotonicMs.getAsLong();
    }
}
