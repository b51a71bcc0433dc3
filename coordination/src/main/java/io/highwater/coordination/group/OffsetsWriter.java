package io.highwater.coordination.group;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.coordinator.common.runtime.PartitionWriter;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.jspecify.annotations.Nullable;

/** The library's way to the log: adds the leader epoch that each write was decided in. Called on the library's event threads. */
final class OffsetsWriter implements PartitionWriter {
    private final OffsetsPartitions partitions;
    private final LeaderTerms terms;
    private final Map<Listener, OffsetsPartitions.CommitListener> listeners = new ConcurrentHashMap<>();
    private volatile @Nullable LogConfig lastConfig;

    OffsetsWriter(OffsetsPartitions partitions, LeaderTerms terms) {
        this.partitions = partitions;
        this.terms = terms;
    }

    @Override
    public long append(
            TopicPartition partition, VerificationGuard guard, MemoryRecords batch, short transactionVersion) {
        int leaderEpoch = terms.writingEpoch(partition.partition());
        if (leaderEpoch == LeaderTerms.NONE) {
            throw new NotLeaderOrFollowerException("no longer leader of " + partition);
        }
        return partitions.append(partition.partition(), leaderEpoch, batch);
    }

    /** The library asks for one value of it, once a batch; parsing a new one each time would cost more than the batch. */
    @Override
    public LogConfig config(TopicPartition partition) {
        int maxBatchBytes = partitions.maxBatchBytes(partition.partition());
        LogConfig config = lastConfig;
        if (config == null || config.maxMessageSize() != maxBatchBytes) {
            config = new LogConfig(Map.of("max.message.bytes", maxBatchBytes));
            lastConfig = config;
        }
        return config;
    }

    @Override
    public void registerListener(TopicPartition partition, Listener listener) {
        OffsetsPartitions.CommitListener ours = new Rising(partition, listener, terms);
        listeners.put(listener, ours);
        partitions.listen(partition.partition(), ours);
    }

    @Override
    public void deregisterListener(TopicPartition partition, Listener listener) {
        OffsetsPartitions.CommitListener ours = listeners.remove(listener);
        if (ours != null) {
            partitions.unlisten(partition.partition(), ours);
        }
    }

    /** Only transactional commits ask, and the facade offers none. */
    @Override
    public CompletableFuture<VerificationGuard> maybeStartTransactionVerification(
            TopicPartition partition, String transactionalId, long producerId, short producerEpoch, int apiVersion) {
        return CompletableFuture.failedFuture(
                new IllegalStateException("no transactional commit can have been asked for: " + transactionalId));
    }

    /** Only the share coordinator asks. */
    @Override
    public CompletableFuture<Void> deleteRecords(TopicPartition partition, long beforeOffset) {
        return CompletableFuture.failedFuture(
                new IllegalStateException("the group coordinator never deletes records, of " + partition));
    }

    /**
     * The library breaks on a high watermark that falls, as it seems to when two calls overtake each other, and on one above what it has
     * written, as another leader sets when this one has not been unloaded yet.
     */
    private static final class Rising implements OffsetsPartitions.CommitListener {
        private final TopicPartition partition;
        private final Listener listener;
        private final LeaderTerms terms;
        private long highest = -1;

        Rising(TopicPartition partition, Listener listener, LeaderTerms terms) {
            this.partition = partition;
            this.listener = listener;
            this.terms = terms;
        }

        @Override
        public synchronized void onCommitted(int number, long highWatermark) {
            if (highWatermark > highest && terms.writingEpoch(number) != LeaderTerms.NONE) {
                highest = highWatermark;
                listener.onHighWatermarkUpdated(partition, highWatermark);
            }
        }
    }
}
