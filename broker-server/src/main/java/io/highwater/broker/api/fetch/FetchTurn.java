package io.highwater.broker.api.fetch;

import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.partition.DelayedFetch;
import io.highwater.broker.partition.FetchOutcome;
import io.highwater.broker.partition.FetchSpec;
import io.highwater.broker.partition.Isolation;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.PartitionLookup;
import io.highwater.broker.partition.ReplicationThrottle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchRequest;
import org.jspecify.annotations.Nullable;

/**
 * One fetch: reads, perhaps parks and reads again, perhaps lets a disk worker warm what it read, answers. Runs on the
 * connection's event loop, except for the warming. Owns the slices it has read until they are in the answer.
 */
final class FetchTurn {
    private static final int FOLLOWER_READS_FROM = 11;

    private static final int ZSTD_FROM = 10;

    private final FetchServices services;
    private final ApiRequest request;
    private final FetchRequestData body;
    private final List<Wanted> wanted;
    private final Function<FetchAnswer, FetchResponseData> conclusion;
    private final Isolation isolation;
    private final boolean leaderOnly;
    private final int replicaId;
    private final Executor loop;
    private final Promise<@Nullable ApiMessage> promise = Promise.promise();

    private final PartitionLookup[] lookups;

    /** What was read and not yet given back or answered. */
    private final @Nullable FetchOutcome[] outcomes;

    /** Who gets nothing, and need not be looked at, because its follower is held back. */
    private final boolean[] heldBack;

    private int bytesRead;

    /** Whether a partition that could be looked at has something to tell at once. */
    private boolean urgent;

    private int readable;

    /** Whether a disk worker has touched what was read. */
    private boolean warmed;

    FetchTurn(
            FetchServices services,
            ApiRequest request,
            FetchRequestData body,
            List<Wanted> wanted,
            Function<FetchAnswer, FetchResponseData> conclusion) {
        this.services = services;
        this.request = request;
        this.body = body;
        this.wanted = wanted;
        this.conclusion = conclusion;
        this.replicaId = FetchRequest.replicaId(body);
        this.isolation = isolation(body, replicaId);
        this.leaderOnly = FetchRequest.isValidBrokerId(replicaId)
                || (FetchRequest.isConsumer(replicaId) && request.version() < FOLLOWER_READS_FROM);
        this.loop = services.here().get();
        this.lookups = new PartitionLookup[wanted.size()];
        this.outcomes = new @Nullable FetchOutcome[wanted.size()];
        this.heldBack = new boolean[wanted.size()];
    }

    Future<@Nullable ApiMessage> start() {
        turn(false);
        return promise.future();
    }

    /** Reads and goes on with what was found; {@code again} after having been parked. On the loop. */
    private void turn(boolean again) {
        try {
            look(again);
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void look(boolean again) {
        for (int i = 0; i < lookups.length; i++) {
            Wanted one = wanted.get(i);
            lookups[i] = one.topicId().equals(Uuid.ZERO_UUID)
                    ? services.partitions().lookup(one.topic(), one.index())
                    : services.partitions().lookup(one.topicId(), one.index());
        }
        if (isCold()) {
            services.disk()
                    .run(() -> readCold(again))
                    .onComplete(read -> loop.execute(() -> {
                        if (read.failed()) {
                            fail(read.cause());
                        } else {
                            afterDisk(() -> decide(again));
                        }
                    }));
        } else {
            read(again);
            decide(again);
        }
    }

    /** Goes on; if that fails, so does the fetch. On the loop. */
    private void afterDisk(Runnable next) {
        try {
            next.run();
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    /** Whether finding the records may have to wait for the disk. */
    private boolean isCold() {
        for (int i = 0; i < lookups.length; i++) {
            Partition partition = lookups[i].partition();
            if (partition != null && partition.isCold(wanted.get(i).fetchOffset(), isolation)) {
                return true;
            }
        }
        return false;
    }

    private void readCold(boolean again) throws IOException {
        read(again);
        warm();
    }

    private void read(boolean again) {
        int budget = budget();
        for (int i = 0; i < outcomes.length; i++) {
            PartitionLookup lookup = lookups[i];
            Partition partition = lookup.partition();
            FetchOutcome outcome = partition == null
                    ? FetchOutcome.refused(lookup.error())
                    : read(partition, i, Math.max(0, budget - bytesRead), again);
            outcomes[i] = outcome;
            bytesRead += outcome.slice().sizeBytes();
            if (!isUnknown(lookup.error())) {
                readable++;
                urgent |= outcome.error() != Errors.NONE
                        || outcome.diverging() != null
                        || outcome.preferredReplica() != FetchOutcome.NO_OTHER;
            }
        }
    }

    private void decide(boolean again) {
        int minBytes = Math.min(body.minBytes(), budget());
        if (again || body.maxWaitMs() <= 0 || readable == 0 || urgent || bytesRead >= minBytes) {
            answer();
        } else {
            release();
            park(minBytes);
        }
    }

    private FetchOutcome read(Partition partition, int at, int limit, boolean again) {
        Wanted one = wanted.get(at);
        if (request.version() < ZSTD_FROM && partition.storesZstd()) {
            return FetchOutcome.refused(Errors.UNSUPPORTED_COMPRESSION_TYPE);
        }
        FetchSpec.Follower follower = FetchRequest.isValidBrokerId(replicaId)
                ? new FetchSpec.Follower(replicaId, body.replicaState().replicaEpoch(), one.logStartOffset(), again)
                : null;
        if (FetchRequest.isConsumer(replicaId) && request.version() >= FOLLOWER_READS_FROM) {
            int better = services.readReplicas().choose(request, body.rackId(), partition, one.fetchOffset());
            if (better != ReadReplicas.LEADER) {
                return partition.elsewhere(one.currentLeaderEpoch(), better);
            }
        }
        heldBack[at] = follower != null && isHeldBack(partition);
        return partition.fetch(new FetchSpec(
                one.fetchOffset(),
                heldBack[at] ? 0 : Math.min(one.maxBytes(), limit),
                bytesRead == 0 && !heldBack[at],
                one.currentLeaderEpoch(),
                one.lastFetchedEpoch(),
                isolation,
                leaderOnly,
                follower));
    }

    private boolean isHeldBack(Partition partition) {
        ReplicationThrottle throttle = services.throttle();
        return throttle.appliesTo(partition.topicPartition())
                && throttle.isExceeded()
                && !partition.inSyncReplicas().contains(replicaId);
    }

    private void park(int minBytes) {
        services.waits().fetch().parked();
        DelayedFetch delayed = new DelayedFetch(outcomes.length, minBytes, services.deadlines(), expired -> {
            services.waits().fetch().answered();
            if (expired) {
                services.waits().fetchExpired(FetchRequest.isValidBrokerId(replicaId));
            }
            loop.execute(() -> turn(true));
        });
        for (int i = 0; i < lookups.length; i++) {
            Partition partition = lookups[i].partition();
            if (partition != null && !heldBack[i]) {
                Wanted one = wanted.get(i);
                delayed.watch(partition, one.fetchOffset(), isolation, one.maxBytes(), one.knownHighWatermark());
            }
        }
        delayed.park(body.maxWaitMs());
    }

    /** What is cold would stall the loop when it is written: a disk worker touches it first. */
    private void answer() {
        if (warmed || isHot()) {
            conclude();
            return;
        }
        services.disk().run(this::warm).onComplete(warmed -> loop.execute(() -> afterDisk(this::conclude)));
    }

    private boolean isHot() {
        try {
            for (FetchOutcome outcome : outcomes) {
                if (outcome != null && !outcome.slice().hot()) {
                    return false;
                }
            }
        } catch (IOException e) {
            // Whoever maps the slice for the answer meets it again, and answers for it.
            return true;
        }
        return true;
    }

    private void warm() throws IOException {
        for (FetchOutcome outcome : outcomes) {
            if (outcome != null && !outcome.slice().hot()) {
                outcome.slice().load();
            }
        }
        warmed = true;
    }

    private void conclude() {
        count();
        promise.complete(
                conclusion.apply(new FetchAnswer(request, services.image().get(), wanted, outcomes)));
    }

    private void count() {
        boolean consumer = FetchRequest.isConsumer(replicaId);
        for (int i = 0; i < outcomes.length; i++) {
            Partition partition = lookups[i].partition();
            FetchOutcome outcome = outcomes[i];
            if (partition == null || outcome == null) {
                continue;
            }
            int sizeBytes = outcome.slice().sizeBytes();
            if (outcome.error() != Errors.NONE) {
                partition.traffic().fetchFailed();
            } else if (consumer) {
                partition.traffic().fetched(sizeBytes);
            } else {
                partition.traffic().replicated();
            }
            if (!consumer && sizeBytes > 0) {
                services.traffic().replicatedOut(sizeBytes, partition.isBeingAdded(replicaId));
                if (services.throttle().appliesTo(partition.topicPartition())) {
                    services.throttle().record(sizeBytes);
                }
            }
        }
    }

    private void release() {
        for (int i = 0; i < outcomes.length; i++) {
            FetchOutcome outcome = outcomes[i];
            if (outcome != null) {
                outcome.slice().release();
                outcomes[i] = null;
            }
        }
        bytesRead = 0;
        readable = 0;
        warmed = false;
    }

    /** What the answer has taken over is no longer in {@link #outcomes}. */
    private void fail(Throwable cause) {
        release();
        if (!promise.tryFail(cause)) {
            throw new IllegalStateException("a fetch failed after it was answered", cause);
        }
    }

    private int budget() {
        return Math.min(body.maxBytes(), services.maxBytes().getAsInt());
    }

    private static boolean isUnknown(Errors lookupError) {
        return lookupError == Errors.UNKNOWN_TOPIC_ID || lookupError == Errors.UNKNOWN_TOPIC_OR_PARTITION;
    }

    private static Isolation isolation(FetchRequestData body, int replicaId) {
        if (!FetchRequest.isConsumer(replicaId)) {
            return Isolation.LOG_END;
        }
        return body.isolationLevel() == IsolationLevel.READ_COMMITTED.id()
                ? Isolation.LAST_STABLE_OFFSET
                : Isolation.HIGH_WATERMARK;
    }
}
