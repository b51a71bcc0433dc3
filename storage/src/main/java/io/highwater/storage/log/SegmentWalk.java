package io.highwater.storage.log;

import io.highwater.storage.segment.LogSlice;
import io.highwater.storage.segment.Segment;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Shows somebody the batches of a segment, in order. */
final class SegmentWalk {
    private SegmentWalk() {}

    /**
     * From the batch that contains {@code start} to {@code end} (exclusive).
     *
     * @throws DamagedSegmentException if there are no batches where there should be
     */
    static void batches(Segment segment, long start, long end, Consumer<RecordBatch> visitor) throws IOException {
        if (!segment.tryLease()) {
            throw new IllegalStateException(segment + " is closed");
        }
        LogSlice slice = null;
        try {
            slice = segment.read(start, Integer.MAX_VALUE, end, true);
            if (slice != null && !slice.isEmpty()) {
                for (RecordBatch batch :
                        MemoryRecords.readableRecords(slice.view()).batches()) {
                    visitor.accept(batch);
                }
            }
        } catch (CorruptRecordException | InvalidRecordException e) {
            throw new DamagedSegmentException(segment, e);
        } finally {
            if (slice != null && !slice.isEmpty()) {
                slice.release(); // it has taken over the lease
            } else {
                segment.release();
            }
        }
    }
}
