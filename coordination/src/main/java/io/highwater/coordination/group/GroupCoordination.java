package io.highwater.coordination.group;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResultCollection;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetFetchResponse;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/**
 * The groups whose partition of {@code __consumer_offsets} this broker leads, and every request about them. Lifecycle: construct,
 * {@link #startup}, any number of elections, resignations and metadata updates, {@link #close}.
 *
 * <p>All methods may be called from any thread and return at once; futures complete on the coordinator's threads. "The world says no" is an
 * error code inside the answer (NOT_COORDINATOR, COORDINATOR_LOAD_IN_PROGRESS, ...). A future that fails is a fault of ours or comes after
 * {@link #close}.
 *
 * <p>Whether topics of a request exist and whether the caller may use them is the asker's business: the coordinator takes every topic it is
 * given.
 */
public final class GroupCoordination implements AutoCloseable {
    private final GroupSettings settings;
    private final LazyCoordinator coordinator;

    /**
     * Starts nothing yet.
     *
     * @param settings broker settings by Kafka's names, as text; names of others are ignored, missing ones have Kafka's default
     * @throws org.apache.kafka.common.config.ConfigException if a setting is wrong
     */
    public GroupCoordination(int nodeId, Map<String, String> settings, OffsetsPartitions partitions) {
        this.settings = new GroupSettings(settings);
        this.coordinator = new LazyCoordinator(new CoordinatorAssembly(nodeId, this.settings, partitions));
    }

    // -- lifecycle

    /**
     * Requests are answered from now on. The library itself is loaded by the first of: an election, a request; a broker without groups never
     * pays for it.
     *
     * @param offsetsPartitionCount how many partitions {@code __consumer_offsets} will be created with ({@link #offsetsTopicPartitions}); counts
     *     only if the topic does not exist when the library is loaded. The number decides which partition owns a group and is never changed
     */
    public void startup(int offsetsPartitionCount) {
        coordinator.startup(offsetsPartitionCount);
    }

    /** As {@link #onElections}, for one. */
    public void onElection(int offsetsPartition, int leaderEpoch) {
        onElections(Map.of(offsetsPartition, leaderEpoch));
    }

    /**
     * This broker leads the partitions from now on. Called after the partitions themselves take records in those epochs. Partitions that are told
     * together are taken up together: questions wait until those without records are ready and the others load.
     *
     * @param leaderEpochs leader epoch by partition
     */
    public void onElections(Map<Integer, Integer> leaderEpochs) {
        coordinator.onElections(leaderEpochs);
    }

    /**
     * This broker leads the partition no more.
     *
     * @param leaderEpoch the epoch in which another leads, or empty if the partition is gone
     */
    public void onResignation(int offsetsPartition, OptionalInt leaderEpoch) {
        coordinator.onResignation(offsetsPartition, leaderEpoch);
    }

    /**
     * The cluster has changed. Called in the order of the views' versions, also for views without a change that matters here; offsets of deleted
     * topics are removed.
     *
     * @param changed topics that were created or got other partitions or replicas since the view before
     * @param deleted topics that were in the view before and are not in this one
     */
    public void onMetadataUpdate(TopicsView view, Set<Uuid> changed, Set<Uuid> deleted) {
        coordinator.onMetadataUpdate(view, changed, deleted);
    }

    /**
     * Sets the dynamic settings of one group ({@code consumer.session.timeout.ms} ...); an empty map returns it to the broker's. Values out of
     * the broker's range are brought into it.
     */
    public void onGroupConfig(String groupId, Map<String, String> config) {
        Properties properties = new Properties();
        properties.putAll(config);
        coordinator.onGroupConfig(groupId, properties);
    }

    /**
     * The broker's settings have changed: those that Kafka lets change live are taken, the others wait for the next start.
     *
     * @param newSettings all of them, as for the constructor
     * @throws org.apache.kafka.common.config.ConfigException if one is wrong; then nothing changes
     */
    public void onBrokerSettings(Map<String, String> newSettings) {
        settings.replace(newSettings);
    }

    /** Stops all threads of the coordinator and waits for them. Unanswered requests get NOT_COORDINATOR. */
    @Override
    public void close() {
        coordinator.close();
    }

    // -- questions

    /** The partition of {@code __consumer_offsets} that owns a group (or, of its own topic, a transactional id). */
    public static int partitionFor(String id, int partitionCount) {
        return Utils.abs(id.hashCode()) % partitionCount;
    }

    /** {@code offsets.topic.num.partitions}. */
    public int offsetsTopicPartitions() {
        return settings.coordinator().offsetsTopicPartitions();
    }

    /** {@code offsets.topic.replication.factor}. */
    public short offsetsTopicReplicationFactor() {
        return settings.coordinator().offsetsTopicReplicationFactor();
    }

    /** Topic settings that {@code __consumer_offsets} is created with. */
    public Map<String, String> offsetsTopicConfigs() {
        return Map.of(
                "cleanup.policy",
                "compact",
                "compression.type",
                "producer",
                "segment.bytes",
                Integer.toString(settings.coordinator().offsetsTopicSegmentBytes()));
    }

    /** Whether there has been a need for the library: before, this broker has no groups, and asking for them would only load it. */
    public boolean isInUse() {
        return coordinator.isBuilt();
    }

    /** The coordinator's own measurements. */
    public Collection<GroupMetric> metrics() {
        return coordinator.metrics();
    }

    /** Counts of groups and offsets by the older names of the same: {@code NumGroups} and its like; empty while {@link #isInUse} is false. */
    public Collection<GroupMetric> olderMetrics() {
        return coordinator.olderMetrics();
    }

    // -- requests: one method per API

    /** Completes when the rebalance that the member takes part in has gathered its members: up to the rebalance timeout later. */
    public CompletableFuture<JoinGroupResponseData> joinGroup(Caller caller, JoinGroupRequestData request) {
        return coordinator.ask(service -> service.joinGroup(caller.asContext(), request, BufferSupplier.NO_CACHING));
    }

    /** Completes when the group's leader has brought the assignment. */
    public CompletableFuture<SyncGroupResponseData> syncGroup(Caller caller, SyncGroupRequestData request) {
        return coordinator.ask(service -> service.syncGroup(caller.asContext(), request, BufferSupplier.NO_CACHING));
    }

    /** Heartbeat of the classic protocol. */
    public CompletableFuture<HeartbeatResponseData> heartbeat(Caller caller, HeartbeatRequestData request) {
        return coordinator.ask(service -> service.heartbeat(caller.asContext(), request));
    }

    /** Removes members of the classic protocol, or static ones of either. */
    public CompletableFuture<LeaveGroupResponseData> leaveGroup(Caller caller, LeaveGroupRequestData request) {
        return coordinator.ask(service -> service.leaveGroup(caller.asContext(), request));
    }

    /** Heartbeat, join and leave of KIP-848. */
    public CompletableFuture<ConsumerGroupHeartbeatResponseData> consumerGroupHeartbeat(
            Caller caller, ConsumerGroupHeartbeatRequestData request) {
        return coordinator.ask(service -> service.consumerGroupHeartbeat(caller.asContext(), request));
    }

    /** Completes when the offsets are replicated to all in-sync replicas, or after {@code offsets.commit.timeout.ms}. */
    public CompletableFuture<OffsetCommitResponseData> commitOffsets(Caller caller, OffsetCommitRequestData request) {
        return coordinator.ask(
                service -> service.commitOffsets(caller.asContext(), request, BufferSupplier.NO_CACHING));
    }

    /**
     * Committed offsets of one group: those asked for, or all if the topics are null.
     *
     * @param requireStable refuse offsets that an open transaction is about to change
     */
    public CompletableFuture<OffsetFetchResponseGroup> fetchOffsets(
            Caller caller, OffsetFetchRequestGroup request, boolean requireStable) {
        return coordinator
                .ask(service -> service.fetchOffsets(caller.asContext(), request, requireStable))
                // The library answers errors of this one operation as a failure, unlike all others.
                .exceptionally(failure ->
                        OffsetFetchResponse.groupError(request, Errors.forException(failure), caller.apiVersion()));
    }

    /** Removes committed offsets of topics that no member subscribes. */
    public CompletableFuture<OffsetDeleteResponseData> deleteOffsets(Caller caller, OffsetDeleteRequestData request) {
        return coordinator.ask(
                service -> service.deleteOffsets(caller.asContext(), request, BufferSupplier.NO_CACHING));
    }

    /** Groups of all partitions led here, filtered by state and type. */
    public CompletableFuture<ListGroupsResponseData> listGroups(Caller caller, ListGroupsRequestData request) {
        return coordinator.ask(service -> service.listGroups(caller.asContext(), request));
    }

    /** Describes classic groups; one entry per id asked for. */
    public CompletableFuture<List<DescribeGroupsResponseData.DescribedGroup>> describeGroups(
            Caller caller, List<String> groupIds) {
        return coordinator.ask(service -> service.describeGroups(caller.asContext(), groupIds));
    }

    /** Describes KIP-848 groups; one entry per id asked for. */
    public CompletableFuture<List<ConsumerGroupDescribeResponseData.DescribedGroup>> consumerGroupDescribe(
            Caller caller, List<String> groupIds) {
        return coordinator.ask(service -> service.consumerGroupDescribe(caller.asContext(), groupIds));
    }

    /** Deletes empty groups with their offsets; one entry per id asked for. */
    public CompletableFuture<DeletableGroupResultCollection> deleteGroups(Caller caller, List<String> groupIds) {
        return coordinator.ask(
                service -> service.deleteGroups(caller.asContext(), groupIds, BufferSupplier.NO_CACHING));
    }
}
