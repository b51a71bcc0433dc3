package io.highwater.storage.producer;

import java.util.Iterator;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * The end of a transaction, as its coordinator writes it into the log.
 *
 * @param producerId whose transaction ends
 * @param producerEpoch the epoch that ends it; with transaction version 2 one above that of its data
 * @param coordinatorEpoch reign of the coordinator that wrote it
 * @param abort whether the transaction's records are void
 * @param offset of the marker
 * @param timestampMs of the marker
 */
public record TransactionMarker(
        long producerId, short producerEpoch, int coordinatorEpoch, boolean abort, long offset, long timestampMs) {

    /**
     * Reads a control batch.
     *
     * @return null if the cleaner has emptied the batch
     * @throws InvalidRecordException if it holds anything but the end of a transaction
     */
    public static @Nullable TransactionMarker of(RecordBatch controlBatch) {
        Iterator<Record> records = controlBatch.iterator();
        if (!records.hasNext()) {
            return null;
        }
        Record record = records.next();
        EndTransactionMarker marker = EndTransactionMarker.deserialize(record);
        return new TransactionMarker(
                controlBatch.producerId(),
                controlBatch.producerEpoch(),
                marker.coordinatorEpoch(),
                marker.controlType() == ControlRecordType.ABORT,
                controlBatch.baseOffset(),
                record.timestamp());
    }
}
