package io.highwater.coordination.group;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoader;
import org.apache.kafka.coordinator.common.runtime.CoordinatorPlayback;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.common.runtime.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds the memory of one offsets partition from its log: every record and every transaction marker, in order, up to the log end. One thread
 * of its own, partition after partition; it waits for disks there. An empty log is done with at once, on the library's thread.
 */
final class OffsetsLoader implements CoordinatorLoader<CoordinatorRecord> {
    /** How far replayed records may lie ahead of the point the library can no longer return to; each such point costs it a snapshot. */
    private static final long COMMIT_EVERY_OFFSETS = 16_384;

    private static final int CLOSE_TIMEOUT_S = 10;

    private static final Logger LOG = LoggerFactory.getLogger(OffsetsLoader.class);

    private final OffsetsPartitions partitions;
    private final LeaderTerms terms;
    private final Deserializer<CoordinatorRecord> deserializer;
    private final int readBytes;
    private final ExecutorService thread;
    private volatile boolean closed;

    OffsetsLoader(
            OffsetsPartitions partitions,
            LeaderTerms terms,
            Deserializer<CoordinatorRecord> deserializer,
            int readBytes) {
        this.partitions = partitions;
        this.terms = terms;
        this.deserializer = deserializer;
        this.readBytes = readBytes;
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread loader = new Thread(task, "group-coordinator-loader");
            loader.setDaemon(true);
            return loader;
        });
    }

    @Override
    public CompletableFuture<LoadSummary> load(
            TopicPartition partition, CoordinatorPlayback<CoordinatorRecord> memory) {
        LeaderTerms.Load load = terms.onLoadStarted(partition.partition());
        long queuedAtMs = System.currentTimeMillis();
        return new Loading(loading -> {
            try {
                if (isEmpty(partition.partition(), load)) {
                    run(partition, load, memory, queuedAtMs, loading);
                } else {
                    thread.execute(() -> run(partition, load, memory, queuedAtMs, loading));
                }
            } catch (RejectedExecutionException e) {
                loading.completeExceptionally(new IllegalStateException("the loader is closed", e));
            } finally {
                terms.onLoadTakenUp(load);
            }
        });
    }

    /** False also if it cannot be told: the load itself says why. */
    private boolean isEmpty(int partition, LeaderTerms.Load load) {
        try {
            OffsetsPartitions.Extent extent = partitions.extent(partition, terms.epochOf(partition, load));
            return extent.logStartOffset() == extent.logEndOffset();
        } catch (ApiException e) {
            return false;
        }
    }

    /**
     * A load that starts when the library has said what shall follow it. If it could end before, its end would be told on the library's
     * thread, after news of the partition that came in between and about another reign.
     */
    private static final class Loading extends CompletableFuture<LoadSummary> {
        private final Consumer<Loading> work;

        Loading(Consumer<Loading> work) {
            this.work = work;
        }

        @Override
        public CompletableFuture<LoadSummary> whenComplete(BiConsumer<? super LoadSummary, ? super Throwable> next) {
            CompletableFuture<LoadSummary> followed = super.whenComplete(next);
            work.accept(this);
            return followed;
        }

        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new CompletableFuture<>();
        }
    }

    private void run(
            TopicPartition partition,
            LeaderTerms.Load load,
            CoordinatorPlayback<CoordinatorRecord> memory,
            long queuedAtMs,
            CompletableFuture<LoadSummary> loaded) {
        Replay replay = new Replay(partition.partition(), load, memory, queuedAtMs);
        try {
            LoadSummary summary = replay.run();
            terms.onLoadEnded(partition.partition(), load, () -> loaded.complete(summary));
        } catch (Throwable e) {
            LOG.debug("Loading {} ended at offset {}", partition, replay.offset, e);
            terms.onLoadEnded(partition.partition(), load, () -> {
                LOG.warn("Cannot load {}, failed at offset {}: {}", partition, replay.offset, e.toString());
                loaded.completeExceptionally(e);
            });
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_TIMEOUT_S, TimeUnit.SECONDS)) {
                LOG.warn("A load of group offsets does not end; it is left behind");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One load. One thread. */
    private final class Replay {
        private final int partition;
        private final LeaderTerms.Load load;
        private final CoordinatorPlayback<CoordinatorRecord> memory;
        private final long queuedAtMs;

        private long offset = -1;
        private long writtenOffset;
        private long committedOffset = -1;
        private long records;
        private long bytes;

        Replay(int partition, LeaderTerms.Load load, CoordinatorPlayback<CoordinatorRecord> memory, long queuedAtMs) {
            this.partition = partition;
            this.load = load;
            this.memory = memory;
            this.queuedAtMs = queuedAtMs;
        }

        LoadSummary run() {
            long startedAtMs = System.currentTimeMillis();
            OffsetsPartitions.Extent extent = partitions.extent(partition, epoch());
            offset = extent.logStartOffset();
            while (offset < extent.logEndOffset()) {
                MemoryRecords read = partitions.read(partition, epoch(), offset, readBytes);
                if (!read.batches().iterator().hasNext()) {
                    break;
                }
                for (MutableRecordBatch batch : read.batches()) {
                    apply(batch);
                    offset = batch.nextOffset();
                    publish(extent.highWatermark());
                }
                bytes += read.sizeInBytes();
                extent = partitions.extent(partition, epoch());
            }
            if (writtenOffset < extent.logEndOffset()) {
                // The last records were compacted away or deleted. The library counts on from here, so it must know the
                // true end.
                offset = extent.logEndOffset();
                publish(extent.highWatermark());
            }
            return new LoadSummary(queuedAtMs, System.currentTimeMillis(), startedAtMs - queuedAtMs, records, bytes);
        }

        private int epoch() {
            if (closed) {
                throw new IllegalStateException("the loader is closed");
            }
            int epoch = terms.epochOf(partition, load);
            if (epoch == LeaderTerms.NONE) {
                throw new NotLeaderOrFollowerException("no longer leader of offsets partition " + partition);
            }
            return epoch;
        }

        private void apply(RecordBatch batch) {
            for (Record record : batch) {
                records++;
                if (batch.isControlBatch()) {
                    replayMarker(batch, ControlRecordType.parse(record.key()));
                } else {
                    replay(batch, record);
                }
            }
        }

        private void replayMarker(RecordBatch batch, ControlRecordType type) {
            if (type == ControlRecordType.COMMIT) {
                memory.replayEndTransactionMarker(batch.producerId(), batch.producerEpoch(), TransactionResult.COMMIT);
            } else if (type == ControlRecordType.ABORT) {
                memory.replayEndTransactionMarker(batch.producerId(), batch.producerEpoch(), TransactionResult.ABORT);
            }
        }

        private void replay(RecordBatch batch, Record record) {
            CoordinatorRecord coordinatorRecord;
            try {
                coordinatorRecord = deserializer.deserialize(record.key(), record.value());
            } catch (Deserializer.UnknownRecordTypeException e) {
                LOG.warn(
                        "Skipping a record of unknown type {} at offset {} of offsets partition {}; a newer broker may"
                                + " have written it",
                        e.unknownType(),
                        record.offset(),
                        partition);
                return;
            }
            memory.replay(record.offset(), batch.producerId(), batch.producerEpoch(), coordinatorRecord);
        }

        /** Never called with an offset of 0: the library starts there and only takes larger ones. */
        private void publish(long highWatermark) {
            if (offset >= highWatermark) {
                writtenOffset = offset;
                memory.updateLastWrittenOffset(offset);
                if (highWatermark > committedOffset) {
                    committedOffset = highWatermark;
                    memory.updateLastCommittedOffset(highWatermark);
                }
            } else if (offset - committedOffset >= COMMIT_EVERY_OFFSETS) {
                committedOffset = offset;
                writtenOffset = offset;
                memory.updateLastWrittenOffset(offset);
                memory.updateLastCommittedOffset(offset);
            }
        }
    }
}
