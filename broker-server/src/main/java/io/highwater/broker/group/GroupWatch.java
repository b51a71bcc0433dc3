package io.highwater.broker.group;

import io.highwater.broker.metrics.GroupMetrics;
import io.highwater.broker.metrics.GroupSample;
import io.highwater.broker.metrics.GroupSample.Offset;
import io.highwater.broker.partition.Clock;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.Partitions;
import io.highwater.coordination.group.Caller;
import io.highwater.coordination.group.GroupCoordination;
import io.highwater.coordination.group.GroupMetric;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the groups whose coordinator is here, for metrics. Committed offsets are read first and the ends of partitions after them, so that no
 * lag is negative. Ends are those of the replicas hosted here, led or followed. Waits for the coordinator; not for event loops.
 */
public final class GroupWatch implements GroupMetrics.View {
    private static final Logger LOG = LoggerFactory.getLogger(GroupWatch.class);

    /** Whoever scrapes waits no longer than about ten seconds. */
    private static final long PATIENCE_MS = 3_000;

    private static final String CONSUMER = "consumer";
    private static final String CLASSIC = "classic";

    private final GroupCoordination groups;
    private final Partitions partitions;
    private final Clock clock;

    /** Asks nothing yet. */
    public GroupWatch(GroupCoordination groups, Partitions partitions, Clock clock) {
        this.groups = groups;
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
        if (!groups.isInUse()) {
            return List.of();
        }
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        try {
            List<ListedGroup> listed = listed(deadlineNanos);
            List<CompletableFuture<OffsetFetchResponseGroup>> offsets =
                    listed.stream().map(group -> offsets(group.groupId())).toList();
            Map<String, Integer> members = members(listed, deadlineNanos);
            List<GroupSample> samples = new ArrayList<>();
            for (int i = 0; i < listed.size(); i++) {
                String id = listed.get(i).groupId();
                OffsetFetchResponseGroup committed = await(offsets.get(i), deadlineNanos);
                samples.add(new GroupSample(id, members.getOrDefault(id, 0), offsets(committed)));
            }
            return samples;
        } catch (TimeoutException | ExecutionException e) {
            LOG.debug("groups are not among the metrics this time: {}", e.toString());
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private List<ListedGroup> listed(long deadlineNanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        return await(groups.listGroups(caller(ApiKeys.LIST_GROUPS), new ListGroupsRequestData()), deadlineNanos)
                .groups()
                .stream()
                .filter(group -> group.groupType().equalsIgnoreCase(CONSUMER)
                        || group.groupType().equalsIgnoreCase(CLASSIC))
                .toList();
    }

    private CompletableFuture<OffsetFetchResponseGroup> offsets(String groupId) {
        return groups.fetchOffsets(
                caller(ApiKeys.OFFSET_FETCH),
                new OffsetFetchRequestGroup().setGroupId(groupId).setTopics(null),
                false);
    }

    private Map<String, Integer> members(List<ListedGroup> listed, long deadlineNanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<List<DescribeGroupsResponseData.DescribedGroup>> classic =
                groups.describeGroups(caller(ApiKeys.DESCRIBE_GROUPS), ids(listed, CLASSIC));
        CompletableFuture<List<ConsumerGroupDescribeResponseData.DescribedGroup>> consumer =
                groups.consumerGroupDescribe(caller(ApiKeys.CONSUMER_GROUP_DESCRIBE), ids(listed, CONSUMER));
        Map<String, Integer> members = new HashMap<>();
        await(classic, deadlineNanos)
                .forEach(group -> members.put(group.groupId(), group.members().size()));
        await(consumer, deadlineNanos)
                .forEach(group -> members.put(group.groupId(), group.members().size()));
        return members;
    }

    private static List<String> ids(List<ListedGroup> listed, String type) {
        return listed.stream()
                .filter(group -> group.groupType().equalsIgnoreCase(type))
                .map(ListedGroup::groupId)
                .toList();
    }

    private List<Offset> offsets(OffsetFetchResponseGroup committed) {
        List<Offset> offsets = new ArrayList<>();
        for (OffsetFetchResponseTopics topic : committed.topics()) {
            for (OffsetFetchResponsePartitions each : topic.partitions()) {
                if (each.errorCode() == Errors.NONE.code() && each.committedOffset() >= 0) {
                    offsets.add(offset(topic.name(), each.partitionIndex(), each.committedOffset()));
                }
            }
        }
        return offsets;
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

    private static <T> T await(CompletableFuture<T> future, long deadlineNanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    private static Caller caller(ApiKeys api) {
        return new Caller(
                api,
                api.latestVersion(),
                "metrics",
                InetAddress.getLoopbackAddress(),
                KafkaPrincipal.ANONYMOUS,
                "metrics",
                SecurityProtocol.PLAINTEXT,
                0);
    }
}
