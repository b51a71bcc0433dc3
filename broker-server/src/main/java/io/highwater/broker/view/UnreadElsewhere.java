package io.highwater.broker.view;

import io.highwater.broker.view.LocalAnswer.Unread;
import io.highwater.broker.view.LocalQuestion.Position;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What groups have not read of partitions that this broker does not know well enough: their leaders are asked, all at once. What a leader that is silent
 * has said before goes on being told for {@link #KEPT_MS}, so that a lag neither vanishes nor jumps with every lost answer. One thread at a time.
 */
final class UnreadElsewhere {
    /** What is older is not known any more. */
    static final long KEPT_MS = 300_000;

    /** To one leader in one go, of {@link LocalQuestion#MOST_POSITIONS} each; what is beyond is not asked. */
    static final int MOST_QUESTIONS = 4;

    private final int nodeId;
    private final Supplier<ClusterImage> image;
    private final Peers peers;
    private final LongSupplier monotonicMs;

    /** Written by answers, which may come late, from any thread. */
    private final Map<PartitionName, Mark> marks = new ConcurrentHashMap<>();

    /** The same. */
    private final Map<Position, Long> timestampsMs = new ConcurrentHashMap<>();

    private record Mark(long highWatermark, long knownAtMs) {}

    /** Asks nothing yet. */
    UnreadElsewhere(int nodeId, Supplier<ClusterImage> image, Peers peers, LongSupplier monotonicMs) {
        this.nodeId = nodeId;
        this.image = image;
        this.peers = peers;
        this.monotonicMs = monotonicMs;
    }

    /** Whether a replica here, should there be one, is out of sync, and another broker leads. */
    boolean isBehindHere(String topic, int partition) {
        PartitionView view = image.get().partition(topic, partition);
        return view != null && hasOtherLeader(view) && !view.inSyncReplicas().contains(nodeId);
    }

    private boolean hasOtherLeader(PartitionView view) {
        return view.leader() != PartitionView.NO_LEADER && view.leader() != nodeId;
    }

    /**
     * Asks, and waits for at most {@code patienceMs}.
     *
     * @return what is known of these; others are missing
     */
    Map<Position, Unread> of(Set<Position> positions, long patienceMs) {
        forgetAllBut(positions);
        if (positions.isEmpty()) {
            return Map.of();
        }
        await(ask(positions), patienceMs);
        Map<Position, Unread> known = new HashMap<>();
        for (Position each : positions) {
            Unread unread = known(each);
            if (unread != null) {
                known.put(each, unread);
            }
        }
        return known;
    }

    private @Nullable Unread known(Position position) {
        Mark mark = marks.get(partition(position));
        if (mark == null || monotonicMs.getAsLong() - mark.knownAtMs > KEPT_MS) {
            return null;
        }
        return new Unread(
                position.topic(),
                position.partition(),
                position.offset(),
                mark.highWatermark,
                timestampsMs.getOrDefault(position, -1L));
    }

    private CompletableFuture<?> ask(Set<Position> positions) {
        ClusterImage now = image.get();
        Map<Integer, List<Position>> byLeader = new HashMap<>();
        for (Position each : positions) {
            PartitionView view = now.partition(each.topic(), each.partition());
            if (view != null && hasOtherLeader(view)) {
                byLeader.computeIfAbsent(view.leader(), id -> new ArrayList<>()).add(each);
            }
        }
        List<CompletableFuture<?>> asked = new ArrayList<>();
        byLeader.forEach((id, led) -> {
            BrokerView leader = now.broker(id);
            for (int from = 0, i = 0; leader != null && from < led.size() && i < MOST_QUESTIONS; i++) {
                int to = Math.min(led.size(), from + LocalQuestion.MOST_POSITIONS);
                LocalQuestion question = LocalQuestion.positions(List.copyOf(led.subList(from, to)));
                asked.add(peers.ask(leader, question).thenAccept(this::learn).toCompletableFuture());
                from = to;
            }
        });
        return CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]));
    }

    private void learn(@Nullable LocalAnswer answer) {
        if (answer == null) {
            return;
        }
        long nowMs = monotonicMs.getAsLong();
        for (Unread each : answer.unread()) {
            marks.put(new PartitionName(each.topic(), each.partition()), new Mark(each.highWatermark(), nowMs));
            Position position = new Position(each.topic(), each.partition(), each.offset());
            if (each.timestampMs() >= 0) {
                timestampsMs.put(position, each.timestampMs());
            } else {
                timestampsMs.remove(position);
            }
        }
    }

    private void forgetAllBut(Set<Position> positions) {
        Set<PartitionName> partitions = new HashSet<>();
        positions.forEach(each -> partitions.add(partition(each)));
        marks.keySet().retainAll(partitions);
        timestampsMs.keySet().retainAll(positions);
    }

    private static PartitionName partition(Position position) {
        return new PartitionName(position.topic(), position.partition());
    }

    private static void await(CompletableFuture<?> answers, long patienceMs) {
        try {
            answers.get(patienceMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return; // what has come is there, and what comes later is for the next time
        } catch (ExecutionException e) {
            throw new IllegalStateException("a question to a peer failed instead of being silent", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
