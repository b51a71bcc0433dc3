package io.highwater.broker.partition;

import io.highwater.broker.metrics.ReplicaSample;
import io.highwater.broker.metrics.TopicTraffic;
import io.highwater.replication.FollowerView;
import io.highwater.replication.Leadership;
import io.highwater.storage.log.AppendOrigin;
import io.highwater.storage.log.LogSettings;
import io.highwater.storage.log.PartitionLog;
import io.highwater.storage.producer.ActiveProducer;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * One replica hosted here: a monitor around its log, its role and the requests that wait for it. Any thread may call. Under the
 * lock: decide, write, publish offsets, collect who is to be told. Checksums are verified before it; whoever waited is told
 * after it. Hot: {@link #produce}, {@link #fetch}.
 */
public final class Partition {
    private final TopicPartition topicPartition;
    private final Uuid topicId;
    private final PartitionServices services;
    private final PartitionLog log;
    private final PartitionRole role;
    private final PartitionMonitor monitor;
    private final PartitionReads reads;
    private final PartitionWrites writes;
    private final PartitionFollowing following;
    private final PartitionCare care;
    private final PartitionLookup lookup;
    private final TopicTraffic traffic;
    private volatile Assignment assignment = Assignment.NONE;

    /**
     * A replica without a role.
     *
     * @param highWatermark from the checkpoint; brought into the log's bounds
     */
    Partition(
            Uuid topicId,
            PartitionLog log,
            long highWatermark,
            ReplicaPatience patience,
            PartitionServices services,
            StorageFailures failures,
            LogErrands errands) {
        this.topicPartition = log.topicPartition();
        this.topicId = topicId;
        this.services = services;
        this.log = log;
        this.role = new PartitionRole(
                services.nodeId(), log, services.membership(), patience.with(log.settings()), highWatermark);
        this.monitor = new PartitionMonitor(topicPartition, topicId, role, services);
        this.reads = new PartitionReads(log, role, cause -> failures.onFailure(this, cause));
        this.traffic = services.metrics().traffic().topic(topicPartition.topic());
        this.writes = new PartitionWrites(this, monitor, services, failures);
        this.following = new PartitionFollowing(this, monitor, services, failures);
        this.care = new PartitionCare(log, monitor, services.clock(), errands);
        this.lookup = PartitionLookup.found(this);
    }

    /**
     * A client's write. The future completes when {@code acks} is satisfied, refused or out of time; never fails, a broken
     * disk is KAFKA_STORAGE_ERROR. The records are written, if at all, before this returns.
     *
     * @param records exactly one batch of magic 2; patched in place, and not looked at again after this returns
     * @param acks 0, 1 or -1
     * @param timeoutMs how long acks=-1 may wait for the other replicas
     */
    public Future<AppendOutcome> produce(MemoryRecords records, short acks, int timeoutMs) {
        return writes.append(records, AppendOrigin.CLIENT, acks, timeoutMs);
    }

    /**
     * A coordinator's write, admitted like acks=all (too few in-sync replicas refuse it) and done when the leader's log has it; learn of the
     * commit from a {@link HighWatermarkListener}. Never fails by exception because of the disk or the role: see {@link AppendOutcome#error()}.
     *
     * @param leaderEpoch the reign the write was decided in: NOT_LEADER_OR_FOLLOWER in any other
     */
    public AppendOutcome appendAsCoordinator(MemoryRecords records, int leaderEpoch) {
        return writes.appendAsCoordinator(records, leaderEpoch);
    }

    /**
     * Drops everything below {@code beforeOffset}; -1 stands for the high watermark. Completes when all replicas that are
     * alive have done so, or with an error; never fails.
     */
    public Future<DeleteRecordsOutcome> deleteRecords(long beforeOffset, int timeoutMs) {
        return writes.deleteRecords(beforeOffset, timeoutMs);
    }

    /**
     * What there is for a reader, which then owes {@link FetchOutcome#slice()} a release. Touches no cold memory on purpose:
     * ask {@link io.highwater.storage.segment.LogSlice#hot()} before the bytes are used on an event loop.
     */
    public FetchOutcome fetch(FetchSpec spec) {
        FetchSpec.Follower replica = spec.follower();
        if (replica == null) {
            return reads.fetch(spec);
        }
        int leaderEpoch = role.view().leaderEpoch();
        Errors error = monitor.ask(() -> role.mayFetch(replica, spec.currentLeaderEpoch()));
        if (error != Errors.NONE) {
            return FetchOutcome.refused(error);
        }
        FetchOutcome outcome = reads.fetch(spec);
        if (!replica.reread() && outcome.error() == Errors.NONE && outcome.diverging() == null) {
            monitor.onFollowerFetch(replica, spec.fetchOffset(), leaderEpoch);
        }
        return outcome;
    }

    /**
     * What a reader in {@code currentLeaderEpoch} (-1 if it does not say) is told that had better read from {@code replicaId}: how far the log
     * goes, and no records.
     */
    public FetchOutcome elsewhere(int currentLeaderEpoch, int replicaId) {
        return reads.elsewhere(currentLeaderEpoch, replicaId);
    }

    /** Whether a fetch from that offset would find something, but perhaps not without waiting for the disk. */
    public boolean isCold(long fetchOffset, Isolation isolation) {
        return reads.isCold(fetchOffset, isolation);
    }

    /** How many bytes a fetch would get; with {@code any}, 1 stands for any number. Large if the answer is an error. */
    int availableBytes(long fetchOffset, Isolation isolation, int maxBytes, boolean any) {
        return reads.availableBytes(fetchOffset, isolation, maxBytes, any);
    }

    /**
     * The offset for a timestamp, or for one of the special ones of ListOffsets (-1 latest, -2 earliest, -3 of the largest
     * timestamp, -4 earliest local). Blocks for the disk, except for -1, -2 and -4.
     *
     * @param isolation what the asker may see; LOG_END for a replica
     */
    public OffsetOutcome offsetFor(long timestamp, int currentLeaderEpoch, Isolation isolation, boolean leaderOnly) {
        return reads.offsetFor(timestamp, currentLeaderEpoch, isolation, leaderOnly);
    }

    /** Where the records of {@code leaderEpoch} end: offset and epoch -1 if that is not known. Leaders only. */
    public OffsetOutcome endOffsetForEpoch(int currentLeaderEpoch, int leaderEpoch) {
        return reads.endOffsetForEpoch(currentLeaderEpoch, leaderEpoch);
    }

    /**
     * Records from {@code offset} on up to the log end (not only the committed ones), copied to the heap: for loading a
     * coordinator's state, not for serving. Empty at the log end; at least one whole batch otherwise. Blocks for the disk.
     *
     * @throws org.apache.kafka.common.errors.ApiException if not leader, offline, or the offset is outside the log
     */
    public MemoryRecords readToLoad(long offset, int maxBytes) {
        return reads.readToLoad(offset, maxBytes);
    }

    /** The controller's word that this replica leads. Older news is ignored. */
    void lead(Leadership leadership) {
        Aftermath aftermath = monitor.change(nowMs -> role.lead(leadership, nowMs));
        monitor.watchSuspects();
        if (aftermath.roleChanged()) {
            services.feed().onRoleChanged(this);
            services.events().onLeading(topicPartition, leadership.leaderEpoch(), logEndOffset(), highWatermark());
        }
    }

    /** The controller's word that another replica leads, or none ({@code leaderId} -1). Older news is ignored. */
    void follow(int leaderId, int leaderEpoch, int partitionEpoch) {
        Aftermath aftermath = monitor.change(nowMs -> role.follow(leaderId, leaderEpoch, partitionEpoch));
        if (aftermath.roleChanged()) {
            services.feed().onRoleChanged(this);
            services.events().onFollowing(topicPartition, leaderId, leaderEpoch, logEndOffset());
        }
    }

    /** What else the controller says of the partition, before it is told who leads. */
    void assign(Assignment newAssignment) {
        assignment = newAssignment;
    }

    /** Half of the allowed lag has passed: time to look for laggards. */
    void onTick() {
        monitor.tick();
    }

    /** The connection on which that broker last fetched from this partition is gone. Does nothing on a follower. */
    public void onFollowerDisconnected(int replicaId) {
        monitor.onFollowerDisconnected(replicaId);
    }

    /** New settings hold from the next append on. */
    void updateSettings(LogSettings settings, ReplicaPatience patience) {
        care.updateSettings(settings, patience);
    }

    /** Drops what retention allows; returns how many segments went. For a disk worker. */
    int retain() throws IOException {
        return care.retain();
    }

    /** Writes to the disk what has waited for {@code flush.ms}. For a disk worker. */
    void flushIfDue() throws IOException {
        if (care.isFlushDue()) {
            flush();
        }
    }

    /** Waits until all that is written now is on the disk. For a disk worker. */
    void flush() throws IOException {
        long startNanos = System.nanoTime();
        log.flush();
        services.metrics().disk().flushed(System.nanoTime() - startNanos);
    }

    /** Forgets producers that have been idle for too long. */
    void expireProducers() {
        care.expireProducers();
    }

    /** Nothing goes from now on; whoever waits is told {@code reason}. The log is left to the caller. */
    void stop(Errors reason) {
        Aftermath aftermath = monitor.change(nowMs -> role.stop(reason));
        if (aftermath.roleChanged()) {
            services.feed().onRoleChanged(this);
        }
    }

    /** Closes the log after {@link #stop}, under the lock so that no append is under way. */
    void close() throws IOException {
        care.close();
    }

    /** Closes the log without writing anything, after {@link #stop}; nothing touches its files any more. Waits for the disk. */
    void abandon() {
        care.abandon();
    }

    /** Topic name and partition index. */
    public TopicPartition topicPartition() {
        return topicPartition;
    }

    /** The id of its topic. */
    public Uuid topicId() {
        return topicId;
    }

    /** Its side as a follower, which answers that there is nothing to do while it is none. */
    public PartitionFollowing following() {
        return following;
    }

    /** What it is at the moment. */
    public RoleView role() {
        return role.view();
    }

    /** True while this replica leads and takes records. */
    public boolean isLeader() {
        return role.view().leading();
    }

    /** The leader epoch this replica is in, -1 before it has a role. */
    public int leaderEpoch() {
        return role.view().leaderEpoch();
    }

    /** First offset kept. */
    public long logStartOffset() {
        return log.logStartOffset();
    }

    /** Next offset to be written (exclusive end of the log). */
    public long logEndOffset() {
        return log.logEndOffset();
    }

    /** All below is committed (exclusive). */
    public long highWatermark() {
        return role.highWatermark();
    }

    /** No open transaction below it (exclusive). */
    public long lastStableOffset() {
        return role.lastStableOffset();
    }

    /** Whether its topic has records compressed with zstd on purpose, which old readers must not see. */
    public boolean storesZstd() {
        Compression compression = log.settings().messages().compression();
        return compression != null && compression.type() == CompressionType.ZSTD;
    }

    /** Bytes of the log's segments. */
    public long sizeBytes() {
        return log.sizeBytes();
    }

    /** What is known of the idempotent and transactional producers that write here. */
    public List<ActiveProducer> activeProducers() {
        return monitor.ask(log::activeProducers);
    }

    /** The agreed in-sync replicas, as their leader knows them; none if another leads. */
    public List<Integer> inSyncReplicas() {
        return monitor.ask(role::inSyncReplicas);
    }

    /** The other agreed in-sync replicas, as their leader sees them; none if another leads. */
    public List<FollowerView> followersInSync() {
        long nowMs = services.clock().monotonicMs();
        return monitor.ask(() -> role.followersInSync(nowMs));
    }

    /** All that there is to say about it at one moment. Holds the lock for one look; costs nothing while nobody asks. */
    public ReplicaReport report() {
        long nowMs = services.clock().monotonicMs();
        return monitor.ask(() -> role.report(nowMs));
    }

    /** When clients last wrote here without asking for the copies. */
    public WeakAcks weakAcks() {
        return writes.weakAcks();
    }

    /** Whether this replica leads and fewer replicas are in sync than the topic demands. */
    public boolean isUnderMinInSync() {
        return monitor.ask(role::isUnderMinInSync);
    }

    /** What is to be told of this replica, all of one moment. */
    public ReplicaSample sample() {
        long nowMs = services.clock().monotonicMs();
        return monitor.ask(() -> Sampling.of(log, role, assignment, following.behindRecords(), nowMs));
    }

    /** When the batch that holds {@code offset} was begun, in ms; -1 if there is none, or it cannot be read. May wait for the disk. */
    public long timestampAt(long offset) {
        return reads.timestampAt(offset);
    }

    /** Where the traffic of its topic is counted. */
    public TopicTraffic traffic() {
        return traffic;
    }

    /** Whether a reassignment adds the replica of that broker. */
    public boolean isBeingAdded(int replicaId) {
        return assignment.adding().contains(replicaId);
    }

    /** From now on {@code listener} hears of high watermarks, until removed or the partition goes away. */
    public void addHighWatermarkListener(HighWatermarkListener listener) {
        monitor.addListener(listener);
    }

    /** Undoes {@link #addHighWatermarkListener}; a call under way may still arrive. */
    public void removeHighWatermarkListener(HighWatermarkListener listener) {
        monitor.removeListener(listener);
    }

    /** Whether it has been stopped: deleted, offline, or the broker is closing. */
    boolean isGone() {
        return role.gone() != Errors.NONE;
    }

    PartitionLookup lookup() {
        Errors reason = role.gone();
        return reason == Errors.NONE ? lookup : PartitionLookup.refused(reason);
    }

    PartitionLog log() {
        return log;
    }

    DelayedFetches delayedFetches() {
        return monitor.delayedFetches();
    }
}
