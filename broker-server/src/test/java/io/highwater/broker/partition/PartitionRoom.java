package io.highwater.broker.partition;

import io.highwater.broker.disk.DiskWorkers;
import io.highwater.broker.metrics.Dialects;
import io.highwater.broker.metrics.Metrics;
import io.highwater.controlplane.InSyncReplicasAnswer;
import io.highwater.replication.InSyncReplicasProposal;
import io.highwater.replication.Leadership;
import io.highwater.replication.Membership;
import io.highwater.replication.ReplicaSettings;
import io.highwater.storage.log.BatchValidator;
import io.highwater.storage.log.LogOpening;
import io.highwater.storage.log.LogSettings;
import io.highwater.storage.log.PartitionLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;

/** A partition over a real log in a temporary directory, with time, controller and followers played by the test. */
final class PartitionRoom implements AutoCloseable, ControllerRequests, PartitionEvents, StorageFailures {
    volatile boolean diskIsFull;
    static final int NODE = 1;
    static final int MAX_LAG_MS = 30_000;
    static final int GRACE_MS = 500;

    final ManualClock clock = new ManualClock();
    final DiskWorkers disk = new DiskWorkers(1);
    final List<InSyncReplicasProposal> proposals = new ArrayList<>();
    final List<CompletableFuture<InSyncReplicasAnswer>> answers = new ArrayList<>();
    final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** What those were told who hear of an answer. */
    final List<ReplicaSettings> toldSettings = new ArrayList<>();

    final PartitionServices services = new PartitionServices(
            NODE,
            clock,
            clock,
            disk,
            new BatchValidator(),
            Membership.EVERYBODY,
            this,
            FollowerFeed.NONE,
            this,
            new Metrics(Dialects.usual()));
    private final Path directory;
    private final List<Partition> partitions = new ArrayList<>();

    PartitionRoom(Path directory) {
        this.directory = directory;
    }

    /** A partition without a role. */
    Partition partition(int index, Map<String, String> settings) {
        return partition(index, settings, clock);
    }

    /** As above, with a clock of its own. */
    Partition partition(int index, Map<String, String> settings, Clock itsClock) {
        PartitionServices services = new PartitionServices(
                NODE,
                itsClock,
                clock,
                disk,
                new BatchValidator(),
                Membership.EVERYBODY,
                this,
                FollowerFeed.NONE,
                this,
                new Metrics(Dialects.usual()));
        LogErrands errands = new LogErrands(disk, failures::add);
        try {
            PartitionLog log = PartitionLog.open(
                    new LogOpening(
                            directory.resolve("orders-" + index),
                            new TopicPartition("orders", index),
                            LogSettings.of(settings),
                            0,
                            0,
                            true,
                            86_400_000,
                            LogOpening.RecoveryProgress.NONE),
                    errands,
                    clock.wallMs());
            Partition partition = new Partition(
                    Uuid.randomUuid(), log, 0, new ReplicaPatience(MAX_LAG_MS, GRACE_MS), services, this, errands);
            partitions.add(partition);
            return partition;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A partition that leads alone. */
    Partition alone() {
        Partition partition = partition(0, Map.of());
        partition.lead(new Leadership(0, 0, List.of(NODE), List.of(NODE)));
        return partition;
    }

    /** A partition that leads with broker 2 as a follower in sync. */
    Partition withFollower(Map<String, String> settings) {
        Partition partition = partition(0, settings);
        partition.lead(new Leadership(0, 0, List.of(NODE, 2), List.of(NODE, 2)));
        return partition;
    }

    /** What a consumer reads from {@code offset} on. */
    List<String> read(Partition partition, long offset) {
        FetchOutcome outcome = partition.fetch(consumer(offset, 1 << 20, Isolation.HIGH_WATERMARK));
        try {
            ByteBuffer view = outcome.slice().view();
            ByteBuffer copy = ByteBuffer.allocate(view.remaining()).put(view).flip();
            outcome.slice().release();
            return Batches.values(copy);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static FetchSpec consumer(long offset, int maxBytes, Isolation isolation) {
        return new FetchSpec(offset, maxBytes, true, -1, -1, isolation, true, null);
    }

    static FetchSpec replica(int id, long offset) {
        return replica(id, offset, -1);
    }

    static FetchSpec replica(int id, long offset, int leaderEpoch) {
        FetchSpec.Follower follower = new FetchSpec.Follower(id, -1, 0, false);
        return new FetchSpec(offset, 1 << 20, true, leaderEpoch, -1, Isolation.LOG_END, true, follower);
    }

    @Override
    public CompletionStage<InSyncReplicasAnswer> propose(Uuid topicId, int index, InSyncReplicasProposal proposal) {
        proposals.add(proposal);
        CompletableFuture<InSyncReplicasAnswer> answer = new CompletableFuture<>();
        answers.add(answer);
        return answer;
    }

    @Override
    public void onAnswered(
            TopicPartition partition,
            InSyncReplicasProposal proposal,
            InSyncReplicasAnswer answer,
            ReplicaSettings settings) {
        toldSettings.add(settings);
    }

    @Override
    public void assignDirectory(Uuid topicId, int index, Uuid directoryId) {}

    @Override
    public void directoryFailed(Uuid directoryId) {}

    @Override
    public void onFailure(Partition partition, Throwable cause) {
        failures.add(cause);
        if (!DiskFull.isMeantBy(cause)) {
            partition.stop(Errors.KAFKA_STORAGE_ERROR);
        }
    }

    @Override
    public boolean refusesRecords(Partition partition) {
        return diskIsFull;
    }

    @Override
    public void close() {
        partitions.forEach(Partition::abandon);
        disk.close();
    }
}
