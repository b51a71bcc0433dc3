package io.highwater.storage.log;

import io.highwater.storage.producer.CompletedTransaction;
import io.highwater.storage.producer.ProducerBatch;
import io.highwater.storage.producer.ProducerStates;
import io.highwater.storage.producer.ProducerVerdict;
import io.highwater.storage.producer.TransactionMarker;
import io.highwater.storage.segment.AbortedTxn;
import io.highwater.storage.segment.Segment;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts batches at the end of a log and rolls its segments. Hot; the owner's. */
final class LogWriter {
    private static final Logger log = LoggerFactory.getLogger(LogWriter.class);

    private final LogState state;
    private final LogFlush flush;

    LogWriter(LogState state, LogFlush flush) {
        this.state = state;
        this.flush = flush;
    }

    /** See {@link PartitionLog#append}. */
    AppendResult append(ValidatedRecords records, AppendOrigin origin, int leaderEpoch, long nowMs) {
        String unusable = state.whyUnusable();
        if (unusable != null) {
            return AppendResult.refused(Errors.KAFKA_STORAGE_ERROR, unusable);
        }
        if (records.isRefused()) {
            return AppendResult.refused(records.error(), records.message());
        }
        PreparedBatch batch = records.batch();
        int size = batch.sizeBytes();
        if (size > state.settings.segment().bytes()) {
            return AppendResult.refused(
                    Errors.RECORD_LIST_TOO_LARGE,
                    "the batch of " + size + " bytes is larger than a segment may be, "
                            + state.settings.segment().bytes());
        }
        long first = state.logEndOffset;
        batch.place(first, leaderEpoch);
        MutableRecordBatch header = batch.header();
        if (header.hasProducerId()) {
            ProducerVerdict verdict = ask(header, origin);
            if (verdict.isRefused()) {
                return AppendResult.refused(verdict.error(), verdict.message());
            }
            if (verdict.duplicateOf() != null) {
                return AppendResult.duplicate(
                        verdict.duplicateOf().firstOffset(),
                        verdict.duplicateOf().lastOffset(),
                        batch.logAppendTimeMs() < 0 ? -1 : verdict.duplicateOf().timestampMs());
            }
        }
        long last = header.lastOffset();
        try {
            Segment segment = segmentFor(first, last, size, batch.maxTimestamp(), nowMs);
            assignEpoch(leaderEpoch, first);
            segment.append(batch.buffer());
            written(header, segment);
        } catch (IOException e) {
            return diskFailed(e);
        }
        publish(last + 1);
        return AppendResult.written(first, last, batch.logAppendTimeMs(), flush.isOverdue());
    }

    /** A segment for what comes next: the active one, or a new one. */
    Segment segmentFor(long firstOffset, long lastOffset, int size, long maxTimestampMs, long nowMs)
            throws IOException {
        Segment active = state.segments.active();
        return RollPolicy.mustRoll(active, state.settings, size, maxTimestampMs, lastOffset, nowMs)
                ? roll(Math.max(firstOffset, state.logEndOffset), nowMs)
                : active;
    }

    /**
     * Starts a new segment at {@code baseOffset}. Either it becomes the active one, or an exception says why not and nothing
     * has changed.
     */
    Segment roll(long baseOffset, long nowMs) throws IOException {
        ProducerStates producers = state.producers;
        producers.advanceEndOffset(baseOffset);
        Path snapshot = producers.takeSnapshot(false);
        Segment old = state.segments.active();
        Segment fresh = state.files.create(baseOffset, state.settings, nowMs);
        try {
            old.seal();
        } catch (IOException e) {
            giveUp(fresh, old, e);
            throw e;
        }
        old.endsAt(baseOffset);
        state.segments.add(fresh);
        log.debug("{}: rolled a new segment at offset {}", state.topicPartition, baseOffset);
        state.files.errands().soon("flush " + old, () -> {
            if (snapshot != null) {
                force(snapshot);
            }
            flush.upTo(baseOffset);
        });
        return fresh;
    }

    private static void giveUp(Segment fresh, Segment old, IOException cause) {
        try {
            fresh.discard();
            old.unseal(); // half sealed, an index would be shorter than its mapping
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    void assignEpoch(int leaderEpoch, long offset) {
        if (leaderEpoch >= 0 && state.epochs.assign(leaderEpoch, offset)) {
            flush.flushEpochsSoon();
        }
    }

    /** After a batch was written: its producer moves on, and if it ended a transaction by abort, readers must learn of it. */
    void written(RecordBatch batch, Segment segment) {
        CompletedTransaction completed = state.producers.replay(batch);
        if (completed != null && completed.aborted()) {
            try {
                segment.addAborted(new AbortedTxn(
                        completed.producerId(),
                        completed.firstOffset(),
                        completed.lastOffset(),
                        completed.lastStableOffset()));
            } catch (IOException e) {
                state.fail(e); // served like this, aborted records would look committed
            }
        }
    }

    void publish(long logEndOffset) {
        state.producers.advanceEndOffset(logEndOffset);
        state.logEndOffset = logEndOffset;
    }

    AppendResult diskFailed(IOException e) {
        log.warn("{}: cannot append at offset {}: {}", state.topicPartition, state.logEndOffset, e.toString());
        return AppendResult.diskFailed(e);
    }

    private ProducerVerdict ask(MutableRecordBatch header, AppendOrigin origin) {
        ProducerStates producers = state.producers;
        if (header.isControlBatch()) {
            TransactionMarker marker = TransactionMarker.of(header);
            return marker == null ? ProducerVerdict.ACCEPTED : producers.checkMarker(marker, (short) 0);
        }
        ProducerBatch batch = ProducerBatch.of(header);
        return origin == AppendOrigin.CLIENT ? producers.checkClient(batch) : producers.checkCoordinator(batch);
    }

    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (NoSuchFileException e) {
            log.debug("{} has gone meanwhile", file);
        }
    }
}
