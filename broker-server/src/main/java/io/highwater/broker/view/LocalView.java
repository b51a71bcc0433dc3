package io.highwater.broker.view;

import io.highwater.broker.journal.IsrChange;
import io.highwater.broker.journal.IsrHistory;
import io.highwater.broker.journal.Journal;
import io.highwater.broker.journal.JournalEntry;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.PartitionLookup;
import io.highwater.broker.partition.Partitions;
import io.highwater.broker.partition.WeakAcks;
import io.highwater.broker.view.LocalAnswer.Unread;
import io.highwater.broker.view.LocalQuestion.Position;
import io.highwater.coordination.group.GroupCoordination;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** What this broker knows by itself. Any thread; each replica is looked at for one moment under its lock. */
public final class LocalView {
    /** Records that groups have not read may have to come from the disk; those asked for after so long go without their time. */
    private static final long MOST_READING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final int nodeId;
    private final String clusterId;
    private final Journal journal;
    private final IsrHistory isrHistory;
    private final Stepping stepping;

    /** Null until the node serves as a broker, and on one that is only a controller. */
    private volatile @Nullable Hosted hosted;

    private record Hosted(Partitions partitions, LocalGroups groups) {}

    /** Of a node that has no replicas yet. */
    public LocalView(int nodeId, String clusterId, Journal journal, IsrHistory isrHistory, Stepping stepping) {
        this.nodeId = nodeId;
        this.clusterId = clusterId;
        this.journal = journal;
        this.isrHistory = isrHistory;
        this.stepping = stepping;
    }

    /** From now on it has these. */
    public void serves(Partitions partitions, GroupCoordination groups) {
        hosted = new Hosted(partitions, new LocalGroups(groups));
    }

    /** The node. */
    public int nodeId() {
        return nodeId;
    }

    /** Its cluster. */
    public String clusterId() {
        return clusterId;
    }

    /** Answers. Never fails; completes at once, unless it is asked for groups. */
    public CompletionStage<LocalAnswer> answer(LocalQuestion question) {
        Hosted here = hosted;
        CompletionStage<List<LocalGroup>> groups =
                here == null || !question.groups() ? CompletableFuture.completedFuture(List.of()) : here.groups.all();
        EventFilter eventFilter = question.events();
        IsrFilter isrFilter = question.isrChanges();
        StepCommand step = question.step();
        LocalAnswer withoutGroups = new LocalAnswer(
                nodeId,
                clusterId,
                replicas(here, question.replicas()),
                watermarks(here, question.watermarks()),
                unread(here, question.positions()),
                eventFilter == null ? null : events(eventFilter),
                isrFilter == null ? List.of() : isrHistory.changes(isrFilter::accepts),
                List.of(),
                question.acks() ? acks(here) : List.of(),
                step == null ? null : stepping.on(step));
        return groups.thenApply(found -> with(withoutGroups, found));
    }

    /** Which topics were written here with weak acks. */
    List<AcksSeen> acksHere() {
        return acks(hosted);
    }

    /** What this broker has seen of a replica that was removed; null if it was not. */
    @Nullable
    IsrChange isrChange(TopicPartition partition, int broker) {
        return isrHistory.change(partition, broker);
    }

    private static LocalAnswer with(LocalAnswer answer, List<LocalGroup> groups) {
        return new LocalAnswer(
                answer.brokerId(),
                answer.clusterId(),
                answer.replicas(),
                answer.watermarks(),
                answer.unread(),
                answer.events(),
                answer.isrChanges(),
                groups,
                answer.acks(),
                answer.step());
    }

    private static String replicas(@Nullable Hosted here, List<ReplicaQuestion> asked) {
        ReplicaWriter told = new ReplicaWriter();
        int position = 0;
        for (ReplicaQuestion question : asked) {
            int count = Math.min(question.partitions().size(), LocalQuestion.MOST_REPLICAS - position);
            for (int i = 0; i < count; i++) {
                PartitionLookup found = here == null
                        ? null
                        : here.partitions.lookup(
                                question.topic(), question.partitions().get(i));
                Partition partition = found == null ? null : found.partition();
                told.add(
                        position++,
                        question.known(i),
                        partition == null ? null : partition.report(),
                        found == null ? Errors.BROKER_NOT_AVAILABLE : found.error());
            }
        }
        return told.text();
    }

    private static List<Watermark> watermarks(@Nullable Hosted here, List<PartitionName> asked) {
        List<Watermark> watermarks = new ArrayList<>();
        if (here == null) {
            return watermarks;
        }
        for (PartitionName name : asked.subList(0, Math.min(asked.size(), LocalQuestion.MOST_WATERMARKS))) {
            Partition partition =
                    here.partitions.lookup(name.topic(), name.partition()).partition();
            if (partition != null && partition.isLeader()) {
                watermarks.add(new Watermark(name.topic(), name.partition(), partition.highWatermark()));
            }
        }
        return watermarks;
    }

    private static List<Unread> unread(@Nullable Hosted here, List<Position> asked) {
        List<Unread> unread = new ArrayList<>();
        if (here == null) {
            return unread;
        }
        long begunAtNanos = System.nanoTime();
        for (Position each : asked.subList(0, Math.min(asked.size(), LocalQuestion.MOST_POSITIONS))) {
            Partition partition =
                    here.partitions.lookup(each.topic(), each.partition()).partition();
            if (partition != null && partition.isLeader()) {
                long highWatermark = partition.highWatermark();
                boolean dated = each.offset() < highWatermark && System.nanoTime() - begunAtNanos < MOST_READING_NANOS;
                unread.add(new Unread(
                        each.topic(),
                        each.partition(),
                        each.offset(),
                        highWatermark,
                        dated ? partition.timestampAt(Math.max(each.offset(), partition.logStartOffset())) : -1));
            }
        }
        return unread;
    }

    private EventPage events(EventFilter filter) {
        int limit = Math.max(1, Math.min(filter.limit(), EventFilter.MOST));
        long count = journal.count();
        List<JournalEntry> found = filter.sinceNumber() < 0
                ? journal.newest(limit, filter::accepts)
                // Numbers begin anew with each process: one that has not been reached is of the process before.
                : journal.since(filter.sinceNumber() > count ? 0 : filter.sinceNumber(), limit, filter::accepts);
        long last = found.isEmpty() ? -1 : found.get(found.size() - 1).number();
        boolean cut = filter.sinceNumber() >= 0 && found.size() == limit;
        return new EventPage(
                cut ? last + 1 : Math.max(count, last + 1),
                found.stream().map(entry -> EventReport.of(nodeId, entry)).toList());
    }

    private static List<AcksSeen> acks(@Nullable Hosted here) {
        if (here == null) {
            return List.of();
        }
        Map<String, AcksSeen> byTopic = new TreeMap<>();
        for (Partition partition : here.partitions.hosted()) {
            WeakAcks acks = partition.weakAcks();
            if (acks.noneAtMs() > 0 || acks.leaderAtMs() > 0) {
                String topic = partition.topicPartition().topic();
                byTopic.merge(topic, new AcksSeen(topic, acks.noneAtMs(), acks.leaderAtMs()), LocalView::newer);
            }
        }
        return List.copyOf(byTopic.values());
    }

    static AcksSeen newer(AcksSeen one, AcksSeen other) {
        return new AcksSeen(
                one.topic(),
                Math.max(one.noneAtMs(), other.noneAtMs()),
                Math.max(one.leaderAtMs(), other.leaderAtMs()));
    }
}
