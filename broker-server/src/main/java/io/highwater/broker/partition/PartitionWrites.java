package io.highwater.broker.partition;

import io.highwater.broker.metrics.TopicTraffic;
import io.highwater.storage.log.AppendOrigin;
import io.highwater.storage.log.AppendResult;
import io.highwater.storage.log.LogSettings;
import io.highwater.storage.log.PartitionLog;
import io.highwater.storage.log.ValidatedRecords;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/** Appends and deletions as the leader of a partition takes them. Any thread; the lock is its partition's. Hot: {@link #append}. */
final class PartitionWrites {
    static final short ACKS_ALL = -1;
    static final short ACKS_LEADER = 1;
    private static final int ANY_EPOCH = -1;

    private final Partition partition;
    private final PartitionMonitor monitor;
    private final ReentrantLock lock;
    private final PartitionRole role;
    private final PartitionLog log;
    private final PartitionServices services;
    private final StorageFailures failures;
    private final WeakAcks weakAcks = new WeakAcks();

    PartitionWrites(
            Partition partition, PartitionMonitor monitor, PartitionServices services, StorageFailures failures) {
        this.partition = partition;
        this.monitor = monitor;
        this.lock = monitor.lock();
        this.role = monitor.role();
        this.log = partition.log();
        this.services = services;
        this.failures = failures;
    }

    WeakAcks weakAcks() {
        return weakAcks;
    }

    /** See {@link Partition#produce}. */
    Future<AppendOutcome> append(MemoryRecords records, AppendOrigin origin, short acks, int timeoutMs) {
        return append(records, origin, acks, ANY_EPOCH, timeoutMs);
    }

    /** See {@link Partition#appendAsCoordinator}. Waits for the disk if the topic wants each batch flushed. */
    AppendOutcome appendAsCoordinator(MemoryRecords records, int leaderEpoch) {
        return append(records, AppendOrigin.COORDINATOR, ACKS_ALL, leaderEpoch, 0)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    private Future<AppendOutcome> append(
            MemoryRecords records, AppendOrigin origin, short acks, int expectedEpoch, int timeoutMs) {
        TopicTraffic traffic = partition.traffic();
        traffic.produceRequested();
        Errors error = failures.refusesRecords(partition) ? Errors.KAFKA_STORAGE_ERROR : admit(acks);
        if (error != Errors.NONE) {
            countFailure(traffic, error);
            return Future.succeededFuture(AppendOutcome.refused(error, null));
        }
        long nowMs = services.clock().wallMs();
        if (acks != ACKS_ALL) {
            weakAcks.onWrite(acks, nowMs);
        }
        ValidatedRecords validated = services.validator().validate(records, log.settings(), origin, nowMs);
        if (validated.isRefused()) {
            countRefusal(traffic, validated, records.sizeInBytes());
            return Future.succeededFuture(AppendOutcome.refused(validated, log.logStartOffset()));
        }
        Written written;
        try {
            written = write(validated, origin, acks, expectedEpoch, timeoutMs, nowMs);
            if (written.records() > 0) {
                traffic.appended(records.sizeInBytes(), written.records());
            } else if (written.answer().isComplete()) {
                countFailure(traffic, written.answer().result().error());
            }
        } catch (RuntimeException e) {
            failures.onFailure(partition, e);
            return Future.succeededFuture(AppendOutcome.refused(Errors.KAFKA_STORAGE_ERROR, e.getMessage()));
        }
        if (written.diskFailure() != null) {
            failures.onFailure(partition, written.diskFailure());
        }
        monitor.perform(written.aftermath());
        return written.mustFlush() ? afterFlush(written.answer()) : written.answer();
    }

    /** Refusals that tell a client where to go or what to mend are not failures of this broker. */
    private static void countFailure(TopicTraffic traffic, Errors error) {
        switch (error) {
            case NONE, NOT_LEADER_OR_FOLLOWER, KAFKA_STORAGE_ERROR -> {}
            default -> traffic.produceFailed();
        }
    }

    private void countRefusal(TopicTraffic traffic, ValidatedRecords refusal, int sizeBytes) {
        switch (refusal.error()) {
            case MESSAGE_TOO_LARGE, RECORD_LIST_TOO_LARGE -> traffic.tooLarge(sizeBytes);
            case CORRUPT_MESSAGE -> traffic.damaged();
            default -> {
                traffic.produceFailed();
                if (log.settings().compaction().compact()
                        && !refusal.badRecords().isEmpty()) {
                    traffic.keyless();
                } else {
                    traffic.malformed();
                }
            }
        }
    }

    /**
     * What happened under the lock, and what is left to do without it.
     *
     * @param records how many were appended
     */
    private record Written(
            Future<AppendOutcome> answer,
            Aftermath aftermath,
            @Nullable IOException diskFailure,
            boolean mustFlush,
            long records) {
        static Written nothing(AppendOutcome refusal, @Nullable IOException diskFailure) {
            return new Written(Future.succeededFuture(refusal), Aftermath.NOTHING, diskFailure, false, 0);
        }
    }

    private Written write(
            ValidatedRecords validated, AppendOrigin origin, short acks, int expectedEpoch, int timeoutMs, long nowMs) {
        lock.lock();
        try {
            Errors error = role.admit(acks);
            int leaderEpoch = role.view().leaderEpoch();
            if (error == Errors.NONE && expectedEpoch != ANY_EPOCH && expectedEpoch != leaderEpoch) {
                error = Errors.NOT_LEADER_OR_FOLLOWER;
            }
            if (error != Errors.NONE) {
                return Written.nothing(AppendOutcome.refused(error, null), null);
            }
            AppendResult result = log.append(validated, origin, leaderEpoch, nowMs);
            AppendOutcome outcome = AppendOutcome.of(result, log.logStartOffset());
            if (result.isRefused()) {
                return Written.nothing(outcome, result.diskFailure());
            }
            Aftermath aftermath = role.onAppended(services.clock().monotonicMs());
            boolean waits = acks == ACKS_ALL && origin != AppendOrigin.COORDINATOR;
            Future<AppendOutcome> answer = waits ? whenCommitted(outcome, timeoutMs) : Future.succeededFuture(outcome);
            long appended = result.duplicate() ? 0 : result.lastOffset() - result.firstOffset() + 1;
            return new Written(answer, aftermath, null, result.mustFlush(), appended);
        } finally {
            lock.unlock();
        }
    }

    private Future<AppendOutcome> whenCommitted(AppendOutcome outcome, int timeoutMs) {
        if (outcome.nextOffset() <= role.highWatermark()) {
            Errors verdict = role.verdict();
            services.metrics().replicas().committed(0);
            return Future.succeededFuture(verdict == Errors.NONE ? outcome : outcome.withError(verdict));
        }
        DelayedProduce parked = new DelayedProduce(
                monitor, outcome, services.metrics(), services.clock().monotonicMs());
        services.deadlines().set(parked, timeoutMs);
        role.park(parked);
        return parked.promise().future();
    }

    /** flush.messages asks that nobody is told of records before they are on disk. */
    private Future<AppendOutcome> afterFlush(Future<AppendOutcome> answer) {
        return services.disk().run(partition::flush).transform(flushed -> {
            if (flushed.succeeded()) {
                return answer;
            }
            failures.onFailure(partition, flushed.cause());
            return Future.succeededFuture(AppendOutcome.refused(Errors.KAFKA_STORAGE_ERROR, null));
        });
    }

    /** See {@link Partition#deleteRecords}. */
    Future<DeleteRecordsOutcome> deleteRecords(long beforeOffset, int timeoutMs) {
        DelayedDelete parked;
        Aftermath aftermath;
        lock.lock();
        try {
            Errors refusal = whyNoDelete(beforeOffset);
            if (refusal != Errors.NONE) {
                return Future.succeededFuture(DeleteRecordsOutcome.refused(refusal));
            }
            parked = new DelayedDelete(
                    monitor, services.metrics().waits(), beforeOffset == -1 ? role.highWatermark() : beforeOffset);
            log.raiseLogStartOffset(parked.requiredOffset);
            services.deadlines().set(parked, timeoutMs);
            role.park(parked);
            aftermath = role.onLogStartRaised();
        } finally {
            lock.unlock();
        }
        monitor.perform(aftermath);
        return parked.promise().future();
    }

    private Errors whyNoDelete(long beforeOffset) {
        Errors error = role.admit(ACKS_LEADER);
        if (error != Errors.NONE) {
            return error;
        }
        LogSettings settings = log.settings();
        if (settings.compaction().compact() && !settings.retention().delete()) {
            return Errors.POLICY_VIOLATION;
        }
        return beforeOffset < -1 || beforeOffset > role.highWatermark() ? Errors.OFFSET_OUT_OF_RANGE : Errors.NONE;
    }

    private Errors admit(short acks) {
        lock.lock();
        try {
            return role.admit(acks);
        } finally {
            lock.unlock();
        }
    }
}
