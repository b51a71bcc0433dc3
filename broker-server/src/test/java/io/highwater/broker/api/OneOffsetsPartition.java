package io.highwater.broker.api;

import io.highwater.coordination.group.OffsetsPartitions;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;

/** A log that takes everything, commits it at once and is never read back. */
final class OneOffsetsPartition implements OffsetsPartitions {
    private final List<CommitListener> listeners = new ArrayList<>();
    private long endOffset;

    @Override
    public synchronized long append(int partition, int leaderEpoch, MemoryRecords batch) {
        for (MutableRecordBatch part : batch.batches()) {
            endOffset += part.lastOffset() - part.baseOffset() + 1;
        }
        listeners.forEach(listener -> listener.onCommitted(partition, endOffset));
        return endOffset;
    }

    @Override
    public MemoryRecords read(int partition, int leaderEpoch, long offset, int maxBytes) {
        return MemoryRecords.EMPTY;
    }

    @Override
    public synchronized Extent extent(int partition, int leaderEpoch) {
        return new Extent(0, endOffset, endOffset);
    }

    @Override
    public int maxBatchBytes(int partition) {
        return 1_048_588;
    }

    @Override
    public synchronized void listen(int partition, CommitListener listener) {
        listeners.add(listener);
        listener.onCommitted(partition, endOffset);
    }

    @Override
    public synchronized void unlisten(int partition, CommitListener listener) {
        listeners.remove(listener);
    }
}
