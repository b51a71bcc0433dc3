package io.highwater.broker.partition;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Utils;

/** Batches as a producer would send them, and what is in batches that were read. */
public final class Batches {
    private Batches() {}

    /** One batch with these values, without a producer id. */
    public static MemoryRecords of(long timestampMs, String... values) {
        return MemoryRecords.withRecords(Compression.NONE, records(timestampMs, values));
    }

    /** One batch of an idempotent producer. */
    public static MemoryRecords idempotent(
            long timestampMs, long producerId, int epoch, int sequence, String... values) {
        return MemoryRecords.withIdempotentRecords(
                Compression.NONE, producerId, (short) epoch, sequence, records(timestampMs, values));
    }

    /** One batch of a transactional producer. */
    public static MemoryRecords transactional(long timestampMs, long producerId, int sequence, String... values) {
        return MemoryRecords.withTransactionalRecords(
                Compression.NONE, producerId, (short) 0, sequence, records(timestampMs, values));
    }

    /** The values of all records in it. */
    public static List<String> values(ByteBuffer batches) {
        List<String> values = new ArrayList<>();
        for (Record record : MemoryRecords.readableRecords(batches).records()) {
            values.add(Utils.utf8(record.value()));
        }
        return values;
    }

    private static SimpleRecord[] records(long timestampMs, String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            records[i] = new SimpleRecord(timestampMs, Utils.utf8("k" + i), Utils.utf8(values[i]));
        }
        return records;
    }
}
