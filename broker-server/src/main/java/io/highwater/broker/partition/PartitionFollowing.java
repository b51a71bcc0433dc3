package io.highwater.broker.partition;

import io.highwater.replication.EpochEnd;
import io.highwater.replication.FetchPosition;
import io.highwater.replication.FollowerReplica;
import io.highwater.replication.FollowerStep;
import io.highwater.replication.LeaderAnswer;
import io.highwater.replication.ReplicaLog;
import io.highwater.storage.log.AppendResult;
import io.highwater.storage.log.FetchedRecords;
import io.highwater.storage.log.PartitionLog;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/**
 * The follower's side of a partition: where it stands, and what it does with its leader's answers. Whoever fetches for it asks
 * {@link #next}, and brings the answer back together with the question, so that an answer that comes late changes nothing. Any thread; the
 * lock is its partition's. Appends happen where they are called, cuts on a disk worker. Hot: {@link #next}, {@link #onAnswer}.
 */
public final class PartitionFollowing {
    private static final Future<Followed> GO_ON = Future.succeededFuture(Followed.GO_ON);
    private static final Future<Followed> IGNORED = Future.succeededFuture(Followed.IGNORED);
    private static final Future<Followed> ASK_BOUNDS = Future.succeededFuture(Followed.ASK_BOUNDS);
    private static final Future<Followed> BACK_OFF = Future.succeededFuture(Followed.BACK_OFF);
    private static final Future<Followed> HALTED = Future.succeededFuture(Followed.HALTED);

    private final Partition partition;
    private final PartitionMonitor monitor;
    private final ReentrantLock lock;
    private final PartitionRole role;
    private final PartitionLog log;
    private final PartitionServices services;
    private final StorageFailures failures;
    private final ReplicaLog facts;
    private volatile long behindRecords = -1;

    PartitionFollowing(
            Partition partition, PartitionMonitor monitor, PartitionServices services, StorageFailures failures) {
        this.partition = partition;
        this.monitor = monitor;
        this.lock = monitor.lock();
        this.role = monitor.role();
        this.log = partition.log();
        this.services = services;
        this.failures = failures;
        this.facts = new LogFacts(log);
    }

    /** What to do with an answer, seen from a follower and its log. */
    @FunctionalInterface
    private interface Decision {
        FollowerStep by(FollowerReplica follower);
    }

    /** What to ask which leader; null if there is none, this replica does not follow, or news of the controller must come first. */
    public @Nullable FetchPosition next() {
        lock.lock();
        try {
            FollowerReplica follower = role.follower();
            return follower == null ? null : follower.nextFetch(facts);
        } finally {
            lock.unlock();
        }
    }

    /** This replica follows in a new reign, and is about to be fetched for. Never fails. */
    public Future<Followed> onReign() {
        Decision decision = follower -> follower.onReign(facts);
        FollowerStep step;
        FetchPosition first;
        lock.lock();
        try {
            behindRecords = -1;
            FollowerReplica follower = role.follower();
            first = follower == null ? null : follower.nextFetch(facts);
            if (follower == null || first == null) {
                return IGNORED;
            }
            step = decision.by(follower);
        } finally {
            lock.unlock();
        }
        return carriedOut(step, first, "the log knows no leader epochs, and what is committed ends there", decision);
    }

    /**
     * The leader has answered. Never fails; a disk that does is reported as a produce would.
     *
     * @param asked what {@link #next} said
     * @param records that came with it, not looked at after this has returned
     */
    public Future<Followed> onAnswer(FetchPosition asked, LeaderAnswer answer, MemoryRecords records) {
        // Reads every byte, and so comes before the lock.
        FetchedRecords fetched = FetchedRecords.of(records, asked.leaderEpoch());
        FollowerStep step;
        AppendResult result = null;
        Aftermath aftermath = Aftermath.NOTHING;
        lock.lock();
        try {
            FollowerReplica follower = role.follower();
            if (follower == null) {
                return IGNORED;
            }
            step = follower.onAnswer(asked, answer, facts);
            if (step.kind() == FollowerStep.Kind.APPEND) {
                result = append(fetched, records.sizeInBytes());
                behindRecords = Math.max(0, answer.highWatermark() - log.logEndOffset());
                if (!result.isRefused()) {
                    aftermath = role.onFetched(answer.highWatermark(), answer.logStartOffset());
                }
            }
        } catch (RuntimeException e) {
            failures.onFailure(partition, e);
            return IGNORED;
        } finally {
            lock.unlock();
        }
        monitor.perform(aftermath);
        if (result != null && result.isRefused()) {
            return refused(asked, result);
        }
        if (result != null && result.mustFlush()) {
            // The next fetch tells the leader that this is stored.
            return services.disk().run(partition::flush).map(Followed.GO_ON).recover(this::diskFailed);
        }
        return carriedOut(step, asked, cause(answer), follower -> follower.onAnswer(asked, answer, facts));
    }

    /**
     * The leader has said how far its log reaches: the answer to {@link Followed#ASK_BOUNDS}. Never fails.
     *
     * @param asked the fetch that was out of range
     * @param leaderLogStart first offset it keeps
     * @param leaderLogEnd end of its log (exclusive), committed or not
     */
    public Future<Followed> onLeaderBounds(FetchPosition asked, long leaderLogStart, long leaderLogEnd) {
        Decision decision = follower -> follower.onLeaderBounds(asked, leaderLogStart, leaderLogEnd, facts);
        FollowerStep step;
        lock.lock();
        try {
            FollowerReplica follower = role.follower();
            if (follower == null) {
                return IGNORED;
            }
            step = decision.by(follower);
        } finally {
            lock.unlock();
        }
        String cause = "the leader's log reaches from " + leaderLogStart + " to " + leaderLogEnd;
        return carriedOut(step, asked, cause, decision);
    }

    /** How many committed records the leader had and this replica had not at the last answer, -1 before the first of its reign. */
    long behindRecords() {
        return behindRecords;
    }

    private AppendResult append(FetchedRecords fetched, int fetchedBytes) {
        if (fetched.isEmpty()) {
            return AppendResult.NOTHING;
        }
        if (failures.refusesRecords(partition)) {
            return AppendResult.diskFailed(new IOException("no space left on device but for the metadata"));
        }
        AppendResult result = log.appendAsFollower(fetched, services.clock().wallMs());
        if (!result.isRefused()) {
            services.metrics().traffic().replicatedIn(fetchedBytes, partition.isBeingAdded(services.nodeId()));
        }
        return result;
    }

    private Future<Followed> refused(FetchPosition asked, AppendResult result) {
        if (result.diskFailure() != null) {
            failures.onFailure(partition, result.diskFailure());
        } else {
            services.events()
                    .onFetchUnusable(
                            partition.topicPartition(),
                            asked.leaderId(),
                            asked.fetchOffset(),
                            result.error(),
                            Objects.requireNonNullElse(
                                    result.message(), result.error().name()));
        }
        return BACK_OFF;
    }

    private Future<Followed> carriedOut(FollowerStep step, FetchPosition asked, String cause, Decision decision) {
        return switch (step.kind()) {
            case APPEND -> GO_ON;
            case IGNORE -> IGNORED;
            case ASK_BOUNDS -> ASK_BOUNDS;
            case BACK_OFF -> BACK_OFF;
            case HALT -> {
                services.events().onFenced(partition.topicPartition(), asked.leaderId(), asked.leaderEpoch());
                yield HALTED;
            }
            case TRUNCATE, RESTART ->
                services.disk().submit(() -> cut(decision, asked, cause)).recover(this::diskFailed);
        };
    }

    private Future<Followed> diskFailed(Throwable cause) {
        failures.onFailure(partition, cause);
        return BACK_OFF;
    }

    /** The decision is made again: until a disk worker came to it, the controller may have had other plans. */
    private Followed cut(Decision decision, FetchPosition asked, String cause) throws IOException {
        FollowerStep step;
        long from;
        Aftermath aftermath;
        lock.lock();
        try {
            FollowerReplica follower = role.follower();
            if (follower == null) {
                return Followed.IGNORED;
            }
            step = decision.by(follower);
            from = log.logEndOffset();
            long nowMs = services.clock().wallMs();
            if (step.kind() == FollowerStep.Kind.TRUNCATE) {
                log.truncateTo(step.offset(), nowMs);
                follower.onTruncated(log.logEndOffset());
            } else if (step.kind() == FollowerStep.Kind.RESTART) {
                log.truncateFullyAndStartAt(step.offset(), nowMs);
                follower.onRestartedAt(step.offset());
            } else {
                return Followed.IGNORED;
            }
            aftermath = role.onCut();
        } finally {
            lock.unlock();
        }
        monitor.perform(aftermath);
        services.events().onCut(partition.topicPartition(), asked.leaderId(), step, from, cause);
        return Followed.GO_ON;
    }

    private static String cause(LeaderAnswer answer) {
        EpochEnd diverging = answer.diverging();
        return diverging == null
                ? ""
                : "the leader's log of epoch " + diverging.epoch() + " ends at " + diverging.offset();
    }
}
