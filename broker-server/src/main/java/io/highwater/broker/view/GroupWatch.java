package io.highwater.broker.view;

import io.highwater.broker.metrics.GroupMetrics;
import io.highwater.broker.metrics.GroupSample;
import io.highwater.broker.metrics.GroupSample.Offset;
import io.highwater.broker.partition.Clock;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.Partitions;
import io.highwater.coordination.group.GroupCoordination;
import io.highwater.coordination.group.GroupMetric;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks at the groups whose coordinator is here, for metrics. Committed offsets are read first and the ends of partitions after them, so that no
 * lag is negative; ends are those of the replicas hosted here, led or followed. One thread at a time, which waits for the coordinator a little: if that
 * is busy, what it said the last time is told.
 */
public final class GroupWatch implements GroupMetrics.View {
    private static final long PATIENCE_MS = 500;

    private final GroupCoordination groups;
    private final LocalGroups local;
    private final Partitions partitions;
    private final Clock clock;
    private CompletableFuture<List<LocalGroup>> asked = CompletableFuture.completedFuture(List.of());
    private List<GroupSample> last = List.of();

    /** Asks nothing yet. */
    public GroupWatch(GroupCoordination groups, Partitions partitions, Clock clock) {
        this.groups = groups;
        this.local = new LocalGroups(groups, Integer.MAX_VALUE, Integer.MAX_VALUE);
        this.partitions = partitions;
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
        if (asked.isDone()) {
            asked = local.all().toCompletableFuture();
        }
        try {
            last = asked.get(PATIENCE_MS, TimeUnit.MILLISECONDS).stream()
                    .map(this::sample)
                    .toList();
        } catch (TimeoutException | ExecutionException e) {
            return last;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return last;
    }

    private GroupSample sample(LocalGroup group) {
        List<Offset> offsets = group.committed().stream()
                .map(each -> offset(each.topic(), each.partition(), each.offset()))
                .toList();
        return new GroupSample(group.id(), Math.max(0, group.members()), offsets);
    }

    private Offset offset(String topic, int index, long committed) {
        Partition partition = partitions.lookup(topic, index).partition();
        if (partition == null) {
            return new Offset(topic, index, committed, -1, -1);
        }
        long lag = Math.max(0, partition.highWatermark() - committed);
        if (lag == 0) {
            return new Offset(topic, index, committed, 0, 0);
        }
        long timestamp = partition.timestampAt(Math.max(committed, partition.logStartOffset()));
        long lagMs = timestamp < 0 ? -1 : Math.max(0, clock.wallMs() - timestamp);
        return new Offset(topic, index, committed, lag, lagMs);
    }
}
