package io.highwater.broker.group;

import io.highwater.broker.partition.AppendOutcome;
import io.highwater.broker.partition.HighWatermarkListener;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.PartitionLookup;
import io.highwater.broker.partition.Partitions;
import io.highwater.coordination.group.OffsetsPartitions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** The partitions of {@code __consumer_offsets} that are hosted here, for the coordinator of groups. Any thread. */
public final class LedOffsets implements OffsetsPartitions {
    private final Partitions partitions;
    private final IntSupplier maxBatchBytes;
    private final Map<Integer, Ear> ears = new ConcurrentHashMap<>();

    /**
     * Finds them among all that are hosted.
     *
     * @param maxBatchBytes {@code max.message.bytes} of the topic now
     */
    public LedOffsets(Partitions partitions, IntSupplier maxBatchBytes) {
        this.partitions = partitions;
        this.maxBatchBytes = maxBatchBytes;
    }

    @Override
    public long append(int partition, int leaderEpoch, MemoryRecords batch) {
        AppendOutcome outcome = led(partition, leaderEpoch).appendAsCoordinator(batch, leaderEpoch);
        if (outcome.error() != Errors.NONE) {
            throw outcome.error().exception(outcome.errorMessage());
        }
        return outcome.nextOffset();
    }

    @Override
    public MemoryRecords read(int partition, int leaderEpoch, long offset, int maxBytes) {
        return led(partition, leaderEpoch).readToLoad(offset, maxBytes);
    }

    @Override
    public Extent extent(int partition, int leaderEpoch) {
        Partition led = led(partition, leaderEpoch);
        // The end is read last: it may grow meanwhile, and the others must not be past it.
        long logStartOffset = led.logStartOffset();
        long highWatermark = led.highWatermark();
        return new Extent(logStartOffset, highWatermark, led.logEndOffset());
    }

    @Override
    public int maxBatchBytes(int partition) {
        return maxBatchBytes.getAsInt();
    }

    @Override
    public void listen(int partition, OffsetsPartitions.CommitListener listener) {
        Partition hosted = lookup(partition).partition();
        if (hosted == null) {
            return;
        }
        Ear ear = new Ear(hosted, listener);
        Ear former = ears.put(partition, ear);
        if (former != null) {
            former.close();
        }
        hosted.addHighWatermarkListener(ear);
        listener.onCommitted(partition, hosted.highWatermark());
    }

    @Override
    public void unlisten(int partition, OffsetsPartitions.CommitListener listener) {
        ears.computeIfPresent(partition, (number, ear) -> {
            if (ear.listener != listener) {
                return ear;
            }
            ear.close();
            return null;
        });
    }

    private PartitionLookup lookup(int partition) {
        return partitions.lookup(Topic.GROUP_METADATA_TOPIC_NAME, partition);
    }

    private Partition led(int partition, int leaderEpoch) {
        PartitionLookup lookup = lookup(partition);
        Partition hosted = lookup.partition();
        if (hosted == null) {
            throw lookup.error().exception();
        }
        if (!hosted.isLeader() || hosted.leaderEpoch() != leaderEpoch) {
            throw new NotLeaderOrFollowerException(hosted.topicPartition() + " is not led here in epoch " + leaderEpoch
                    + ", now " + hosted.leaderEpoch());
        }
        return hosted;
    }

    /** Listens at one partition. */
    private static final class Ear implements HighWatermarkListener {
        private final Partition partition;
        private final OffsetsPartitions.CommitListener listener;

        Ear(Partition partition, OffsetsPartitions.CommitListener listener) {
            this.partition = partition;
            this.listener = listener;
        }

        void close() {
            partition.removeHighWatermarkListener(this);
        }

        @Override
        public void onHighWatermark(TopicPartition topicPartition, long highWatermark) {
            listener.onCommitted(topicPartition.partition(), highWatermark);
        }
    }
}
