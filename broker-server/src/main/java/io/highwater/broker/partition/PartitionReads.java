package io.highwater.broker.partition;

import io.highwater.replication.EpochEnd;
import io.highwater.replication.LeaderAnswer;
import io.highwater.replication.Refusal;
import io.highwater.replication.ReplicaLog;
import io.highwater.storage.log.PartitionLog;
import io.highwater.storage.segment.AbortedTxn;
import io.highwater.storage.segment.LogSlice;
import io.highwater.storage.segment.TimestampedOffset;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.jspecify.annotations.Nullable;

/**
 * What a partition answers without its lock: from the log's published offsets and the role's published view. Hot:
 * {@link #fetch}, {@link #availableBytes}.
 */
final class PartitionReads {
    /** Where a batch has the time of its first record. */
    private static final int BASE_TIMESTAMP_AT = 27;

    /** More than any fetch asks for: makes a waiting one look for itself. */
    private static final int PLENTY = Integer.MAX_VALUE;

    private static final LogSlice NOTHING = LogSlice.empty(-1, -1, -1);

    private final PartitionLog log;
    private final PartitionRole role;
    private final StorageFailure onFailure;
    private final ReplicaLog facts;

    /** Whom to tell when the log cannot be read. */
    @FunctionalInterface
    interface StorageFailure {
        void happened(Throwable cause);
    }

    PartitionReads(PartitionLog log, PartitionRole role, StorageFailure onFailure) {
        this.log = log;
        this.role = role;
        this.onFailure = onFailure;
        this.facts = new LogFacts(log);
    }

    FetchOutcome fetch(FetchSpec spec) {
        Errors error = role.mayRead(spec.currentLeaderEpoch(), spec.leaderOnly());
        if (error != Errors.NONE) {
            return FetchOutcome.refused(error);
        }
        // Watermarks first: what is read afterwards may only be newer.
        long highWatermark = role.highWatermark();
        long lastStableOffset = role.lastStableOffset();
        LeaderAnswer answer = LeaderAnswer.to(spec.fetchOffset(), spec.lastFetchedEpoch(), facts, highWatermark);
        if (answer.refusal() != null) {
            return FetchOutcome.refused(Refusals.error(answer.refusal()));
        }
        boolean committedOnly = spec.isolation() == Isolation.LAST_STABLE_OFFSET;
        try {
            LogSlice slice = answer.diverging() != null ? NOTHING : read(spec, bound(spec.isolation()));
            if (slice == null) {
                // The log has lost that offset since it was asked.
                return FetchOutcome.refused(Refusals.error(Refusal.OFFSET_OUT_OF_RANGE));
            }
            List<AbortedTxn> aborted = committedOnly ? abortedTransactions(slice) : null;
            return new FetchOutcome(
                    Errors.NONE,
                    highWatermark,
                    lastStableOffset,
                    answer.logStartOffset(),
                    slice,
                    aborted,
                    answer.diverging(),
                    FetchOutcome.NO_OTHER);
        } catch (IOException | KafkaStorageException | CorruptRecordException e) {
            return FetchOutcome.refused(failed(e));
        }
    }

    /** Nothing but the watermarks, and the word that {@code replicaId} is the better replica to ask. */
    FetchOutcome elsewhere(int currentLeaderEpoch, int replicaId) {
        Errors error = role.mayRead(currentLeaderEpoch, false);
        return error != Errors.NONE
                ? FetchOutcome.refused(error)
                : new FetchOutcome(
                        Errors.NONE,
                        role.highWatermark(),
                        role.lastStableOffset(),
                        log.logStartOffset(),
                        NOTHING,
                        null,
                        null,
                        replicaId);
    }

    /** For people; whoever reads, whatever this replica is. */
    long timestampAt(long offset) {
        if (role.gone() != Errors.NONE || offset < log.logStartOffset() || offset >= role.highWatermark()) {
            return -1;
        }
        LogSlice slice = null;
        try {
            slice = log.read(offset, 1, role.highWatermark(), true);
            return slice == null || slice.isEmpty()
                    ? -1
                    : slice.view().duplicate().order(ByteOrder.BIG_ENDIAN).getLong(BASE_TIMESTAMP_AT);
        } catch (IOException | RuntimeException e) {
            return -1; // who fetches meets it too, and does something about it
        } finally {
            if (slice != null) {
                slice.release();
            }
        }
    }

    private List<AbortedTxn> abortedTransactions(LogSlice slice) throws IOException {
        try {
            return log.abortedTransactions(slice);
        } catch (IOException | RuntimeException e) {
            slice.release();
            throw e;
        }
    }

    private @Nullable LogSlice read(FetchSpec spec, long bound) throws IOException {
        // Most partitions of most fetches have nothing new.
        return spec.fetchOffset() == bound && bound >= log.logStartOffset()
                ? NOTHING
                : log.read(spec.fetchOffset(), spec.maxBytes(), bound, spec.minOneBatch());
    }

    boolean isCold(long fetchOffset, Isolation isolation) {
        return fetchOffset < bound(isolation) && fetchOffset >= log.logStartOffset() && !log.isHot(fetchOffset);
    }

    int availableBytes(long fetchOffset, Isolation isolation, int maxBytes, boolean any) {
        long bound = bound(isolation);
        if (role.gone() != Errors.NONE) {
            return PLENTY;
        }
        if (fetchOffset >= bound) {
            return fetchOffset > log.logEndOffset() ? PLENTY : 0;
        }
        if (any) {
            return 1;
        }
        try {
            LogSlice slice = log.read(fetchOffset, maxBytes, bound, true);
            if (slice == null) {
                return PLENTY;
            }
            slice.release();
            return slice.sizeBytes();
        } catch (IOException | KafkaStorageException | CorruptRecordException e) {
            return PLENTY;
        }
    }

    OffsetOutcome offsetFor(long timestamp, int currentLeaderEpoch, Isolation isolation, boolean leaderOnly) {
        Errors error = role.mayRead(currentLeaderEpoch, leaderOnly);
        if (error != Errors.NONE) {
            return OffsetOutcome.refused(error);
        }
        // A new leader does not know yet what its predecessor had committed.
        boolean behind = isolation != Isolation.LOG_END && role.view().epochStartOffset() > role.highWatermark();
        try {
            if (timestamp == ListOffsetsRequest.LATEST_TIMESTAMP) {
                return behind
                        ? OffsetOutcome.refused(Errors.OFFSET_NOT_AVAILABLE)
                        : new OffsetOutcome(
                                Errors.NONE, bound(isolation), -1, role.view().leaderEpoch());
            }
            if (timestamp == ListOffsetsRequest.EARLIEST_TIMESTAMP
                    || timestamp == ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP) {
                return outcome(log.earliest());
            }
            TimestampedOffset found = find(timestamp);
            if (found != null && found.offset() < bound(isolation)) {
                return outcome(found);
            }
            return behind ? OffsetOutcome.refused(Errors.OFFSET_NOT_AVAILABLE) : OffsetOutcome.NOTHING;
        } catch (IOException | KafkaStorageException | CorruptRecordException e) {
            return OffsetOutcome.refused(failed(e));
        }
    }

    private @Nullable TimestampedOffset find(long timestamp) throws IOException {
        if (timestamp == ListOffsetsRequest.MAX_TIMESTAMP) {
            return log.offsetOfMaxTimestamp();
        }
        // Nothing is kept elsewhere: what asks for tiered offsets finds none.
        return timestamp < 0 ? null : log.offsetForTimestamp(timestamp);
    }

    OffsetOutcome endOffsetForEpoch(int currentLeaderEpoch, int leaderEpoch) {
        Errors error = role.mayRead(currentLeaderEpoch, true);
        if (error != Errors.NONE) {
            return OffsetOutcome.refused(error);
        }
        EpochEnd end = facts.endOffsetFor(leaderEpoch);
        return new OffsetOutcome(Errors.NONE, end.offset(), -1, end.epoch());
    }

    MemoryRecords readToLoad(long offset, int maxBytes) {
        Errors error = role.mayRead(-1, true);
        if (error != Errors.NONE) {
            throw error.exception();
        }
        try {
            LogSlice slice = log.read(offset, maxBytes, log.logEndOffset(), true);
            if (slice == null) {
                throw Errors.OFFSET_OUT_OF_RANGE.exception();
            }
            try {
                ByteBuffer copy = ByteBuffer.allocate(slice.sizeBytes());
                copy.put(slice.view());
                return MemoryRecords.readableRecords(copy.flip());
            } finally {
                slice.release();
            }
        } catch (IOException | KafkaStorageException | CorruptRecordException e) {
            throw failed(e).exception(e.getMessage());
        }
    }

    private long bound(Isolation isolation) {
        return switch (isolation) {
            case LOG_END -> log.logEndOffset();
            case HIGH_WATERMARK -> role.highWatermark();
            case LAST_STABLE_OFFSET -> role.lastStableOffset();
        };
    }

    private static OffsetOutcome outcome(TimestampedOffset found) {
        return new OffsetOutcome(Errors.NONE, found.offset(), found.timestampMs(), found.leaderEpoch());
    }

    private Errors failed(Exception cause) {
        onFailure.happened(cause);
        return cause instanceof CorruptRecordException ? Errors.CORRUPT_MESSAGE : Errors.KAFKA_STORAGE_ERROR;
    }
}
