package io.highwater.broker.view;

import io.highwater.broker.metrics.GroupMetrics;
import io.highwater.broker.metrics.GroupSample;
import io.highwater.broker.metrics.GroupSample.Offset;
import io.highwater.broker.partition.Clock;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.Partitions;
import io.highwater.broker.view.LocalAnswer.Unread;
import io.highwater.broker.view.LocalGroup.Committed;
import io.highwater.broker.view.LocalQuestion.Position;
import io.highwater.coordination.group.GroupCoordination;
import io.highwater.coordination.group.GroupMetric;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the groups whose coordinator is here, for metrics. Committed offsets are read first and the ends of partitions after them, so that no
 * lag is negative; ends are those of the replicas hosted here, led or in sync, and else of the leaders. One thread at a time, which waits for the
 * coordinator and for leaders a little: if they are busy, what they said the last time is told.
 */
public final class GroupWatch implements GroupMetrics.View {
    /** For all together. */
    private static final long PATIENCE_MS = 500;

    private final GroupCoordination groups;
    private final LocalGroups local;
    private final Partitions partitions;
    private final UnreadElsewhere elsewhere;
    private final Clock clock;
    private CompletableFuture<List<LocalGroup>> asked = CompletableFuture.completedFuture(List.of());
    private List<GroupSample> last = List.of();

    /** Asks nothing yet. */
    GroupWatch(GroupCoordination groups, Partitions partitions, UnreadElsewhere elsewhere, Clock clock) {
        this.groups = groups;
        this.local = new LocalGroups(groups, Integer.MAX_VALUE, Integer.MAX_VALUE);
        this.partitions = partitions;
        this.elsewhere = elsewhere;
        this.clock = clock;
    }

    @Override
    public Collection<GroupMetric> counts() {
        return groups.olderMetrics();
    }

    @Override
    public Collection<GroupMetric> measurements() {
        return groups.metrics();
    }

    @Override
    public List<GroupSample> groups() {
        long giveUpAtMs = clock.monotonicMs() + PATIENCE_MS;
        if (asked.isDone()) {
            asked = local.all().toCompletableFuture();
        }
        try {
            last = samples(asked.get(PATIENCE_MS, TimeUnit.MILLISECONDS), giveUpAtMs);
        } catch (TimeoutException | ExecutionException e) {
            return last;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return last;
    }

    private List<GroupSample> samples(List<LocalGroup> found, long giveUpAtMs) {
        Set<Position> away = new HashSet<>();
        for (LocalGroup group : found) {
            for (Committed each : group.committed()) {
                if (hosted(each) == null || elsewhere.isBehindHere(each.topic(), each.partition())) {
                    away.add(position(each));
                }
            }
        }
        Map<Position, Unread> answers = elsewhere.of(away, Math.max(0, giveUpAtMs - clock.monotonicMs()));
        return found.stream()
                .map(group -> new GroupSample(
                        group.id(),
                        Math.max(0, group.members()),
                        group.committed().stream()
                                .map(each -> offset(each, answers))
                                .toList()))
                .toList();
    }

    private Offset offset(Committed committed, Map<Position, Unread> answers) {
        Unread unread = answers.get(position(committed));
        if (unread != null) {
            return offset(committed, unread.highWatermark(), unread::timestampMs);
        }
        Partition partition = hosted(committed);
        if (partition == null) {
            return new Offset(committed.topic(), committed.partition(), committed.offset(), -1, -1);
        }
        return offset(
                committed,
                partition.highWatermark(),
                () -> partition.timestampAt(Math.max(committed.offset(), partition.logStartOffset())));
    }

    private Offset offset(Committed committed, long highWatermark, LongSupplier timestampMs) {
        long lag = Math.max(0, highWatermark - committed.offset());
        long timestamp = lag == 0 ? -1 : timestampMs.getAsLong();
        long lagMs = timestamp < 0 ? -1 : Math.max(0, clock.wallMs() - timestamp);
        return new Offset(committed.topic(), committed.partition(), committed.offset(), lag, lag == 0 ? 0 : lagMs);
    }

    private @Nullable Partition hosted(Committed committed) {
        return partitions.lookup(committed.topic(), committed.partition()).partition();
    }

    private static Position position(Committed committed) {
        return new Position(committed.topic(), committed.partition(), committed.offset());
    }
}
