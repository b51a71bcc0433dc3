package io.highwater.coordination.group;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.jspecify.annotations.Nullable;

/** Offsets partitions in memory: logs outlive the coordinators that use them, of one broker or several; leadership and replication are at the test's command. */
final class MemoryOffsets implements OffsetsPartitions {
    private final Map<Integer, Log> logs = new HashMap<>();
    private final Map<Integer, CountDownLatch> gates = new ConcurrentHashMap<>();
    private final Map<Integer, CountDownLatch> readGates = new ConcurrentHashMap<>();
    private boolean replicating = true;

    /** From now on nobody learns of a partition's bounds; counting the answer down opens the gate. */
    CountDownLatch close(int partition) {
        return gates.computeIfAbsent(partition, number -> new CountDownLatch(1));
    }

    /** From now on nobody reads a partition's records; counting the answer down opens the gate. */
    CountDownLatch closeReads(int partition) {
        return readGates.computeIfAbsent(partition, number -> new CountDownLatch(1));
    }

    synchronized void lead(int partition, int leaderEpoch) {
        log(partition).leaderEpoch = leaderEpoch;
    }

    /** While false, appends stay uncommitted. */
    void replicating(boolean replicating) {
        synchronized (this) {
            this.replicating = replicating;
        }
        if (replicating) {
            for (int partition : List.copyOf(logs.keySet())) {
                commit(partition);
            }
        }
    }

    synchronized void deleteAllRecords(int partition) {
        Log log = log(partition);
        log.batches.clear();
        log.startOffset = log.endOffset;
    }

    synchronized long endOffset(int partition) {
        return log(partition).endOffset;
    }

    synchronized List<Record> records(int partition) {
        List<Record> records = new ArrayList<>();
        for (ByteBuffer batch : log(partition).batches) {
            MemoryRecords.readableRecords(batch.duplicate()).records().forEach(records::add);
        }
        return records;
    }

    /** Appends as another coordinator, or a transaction's end, would have. */
    synchronized void write(int partition, MemoryRecords records) {
        log(partition).append(records);
        log(partition).highWatermark = log(partition).endOffset;
    }

    @Override
    public long append(int partition, int leaderEpoch, MemoryRecords batch) {
        long end;
        synchronized (this) {
            Log log = led(partition, leaderEpoch);
            log.append(batch);
            end = log.endOffset;
            if (!replicating) {
                return end;
            }
        }
        commit(partition);
        return end;
    }

    @Override
    public MemoryRecords read(int partition, int leaderEpoch, long offset, int maxBytes) {
        pass(readGates.get(partition));
        return read(partition, leaderEpoch, offset);
    }

    private synchronized MemoryRecords read(int partition, int leaderEpoch, long offset) {
        Log log = led(partition, leaderEpoch);
        for (ByteBuffer batch : log.batches) {
            MemoryRecords records = MemoryRecords.readableRecords(batch.duplicate());
            if (records.batches().iterator().next().lastOffset() >= offset) {
                return records;
            }
        }
        return MemoryRecords.EMPTY;
    }

    @Override
    public Extent extent(int partition, int leaderEpoch) {
        pass(gates.get(partition));
        synchronized (this) {
            Log log = led(partition, leaderEpoch);
            return new Extent(log.startOffset, log.highWatermark, log.endOffset);
        }
    }

    private static void pass(@Nullable CountDownLatch gate) {
        try {
            if (gate != null) {
                gate.await();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int maxBatchBytes(int partition) {
        return 1_048_588;
    }

    @Override
    public void listen(int partition, CommitListener listener) {
        long highWatermark;
        synchronized (this) {
            log(partition).listeners.add(listener);
            highWatermark = log(partition).highWatermark;
        }
        listener.onCommitted(partition, highWatermark);
    }

    @Override
    public synchronized void unlisten(int partition, CommitListener listener) {
        log(partition).listeners.remove(listener);
    }

    private void commit(int partition) {
        List<CommitListener> listeners;
        long highWatermark;
        synchronized (this) {
            Log log = log(partition);
            log.highWatermark = log.endOffset;
            highWatermark = log.highWatermark;
            listeners = List.copyOf(log.listeners);
        }
        listeners.forEach(listener -> listener.onCommitted(partition, highWatermark));
    }

    private Log led(int partition, int leaderEpoch) {
        Log log = log(partition);
        if (log.leaderEpoch != leaderEpoch) {
            throw new NotLeaderOrFollowerException("epoch " + leaderEpoch + ", now " + log.leaderEpoch);
        }
        return log;
    }

    private Log log(int partition) {
        return logs.computeIfAbsent(partition, number -> new Log());
    }

    private static final class Log {
        private final List<ByteBuffer> batches = new ArrayList<>();
        private int leaderEpoch = -1;
        private long startOffset;
        private long highWatermark;
        private long endOffset;
        private final List<CommitListener> listeners = new ArrayList<>();

        private void append(MemoryRecords records) {
            ByteBuffer copy = ByteBuffer.allocate(records.sizeInBytes());
            copy.put(records.buffer().duplicate()).flip();
            for (MutableRecordBatch batch : MemoryRecords.readableRecords(copy).batches()) {
                endOffset += batch.lastOffset() - batch.baseOffset() + 1;
                batch.setLastOffset(endOffset - 1);
                batch.setPartitionLeaderEpoch(leaderEpoch);
            }
            batches.add(copy);
        }
    }
}
