package io.highwater.storage.log;

import io.highwater.storage.segment.LogSlice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/** A log in a temporary directory, for tests: settings by name, errands kept until they are run by hand. */
final class LogFixture implements DiskErrands {
    static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    static final long NOW = 1_700_000_000_000L;

    final Path directory;
    final Map<String, String> config = new HashMap<>();
    final List<Errand> soon = new ArrayList<>();
    final List<Errand> later = new ArrayList<>();
    private final BatchValidator validator = new BatchValidator();

    LogFixture(Path directory) {
        this.directory = directory;
        config.put("internal.segment.bytes", "1000000");
        config.put("segment.index.bytes", "4096");
        config.put("index.interval.bytes", "100");
    }

    LogFixture with(String name, Object value) {
        config.put(name, String.valueOf(value));
        return this;
    }

    PartitionLog openClean() throws IOException {
        return open(0, 0, true);
    }

    PartitionLog openAfterCrash(long recoveryPoint) throws IOException {
        return open(0, recoveryPoint, false);
    }

    PartitionLog open(long logStartOffset, long recoveryPoint, boolean clean) throws IOException {
        return PartitionLog.open(
                new LogOpening(
                        directory,
                        PARTITION,
                        LogSettings.of(config),
                        logStartOffset,
                        recoveryPoint,
                        clean,
                        86_400_000,
                        LogOpening.RecoveryProgress.NONE),
                this,
                NOW);
    }

    AppendResult append(PartitionLog log, int leaderEpoch, String... values) {
        return append(log, leaderEpoch, NOW, values);
    }

    AppendResult append(PartitionLog log, int leaderEpoch, long timestampMs, String... values) {
        return append(log, leaderEpoch, records(timestampMs, values));
    }

    AppendResult append(PartitionLog log, int leaderEpoch, MemoryRecords records) {
        ValidatedRecords validated = validator.validate(records, log.settings(), AppendOrigin.CLIENT, NOW);
        return log.append(validated, AppendOrigin.CLIENT, leaderEpoch, NOW);
    }

    static MemoryRecords records(long timestampMs, String... values) {
        return MemoryRecords.withRecords(Compression.NONE, simple(timestampMs, values));
    }

    /** A batch as a leader has placed it. */
    static MemoryRecords placed(long baseOffset, int leaderEpoch, String... values) {
        return MemoryRecords.withRecords(
                RecordBatch.CURRENT_MAGIC_VALUE,
                baseOffset,
                Compression.NONE,
                TimestampType.CREATE_TIME,
                RecordBatch.NO_PRODUCER_ID,
                RecordBatch.NO_PRODUCER_EPOCH,
                RecordBatch.NO_SEQUENCE,
                leaderEpoch,
                false,
                simple(NOW, values));
    }

    static SimpleRecord[] simple(long timestampMs, String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            records[i] = new SimpleRecord(timestampMs, values[i].getBytes(StandardCharsets.UTF_8));
        }
        return records;
    }

    /** Everything from an offset to the end, as "offset=value". */
    static List<String> readAll(PartitionLog log, long fetchOffset) {
        return readAll(log, fetchOffset, log.logEndOffset(), 100_000);
    }

    static List<String> readAll(PartitionLog log, long fetchOffset, long upperBound, int maxBytes) {
        List<String> found = new ArrayList<>();
        long next = fetchOffset;
        while (true) {
            List<Record> records = read(log, next, upperBound, maxBytes);
            if (records == null || records.isEmpty()) {
                return found;
            }
            for (Record record : records) {
                if (record.offset() >= next) {
                    found.add(record.offset() + "=" + text(record.value()));
                }
            }
            next = records.get(records.size() - 1).offset() + 1;
        }
    }

    private static @Nullable List<Record> read(PartitionLog log, long fetchOffset, long upperBound, int maxBytes) {
        try {
            LogSlice slice = log.read(fetchOffset, maxBytes, upperBound, true);
            if (slice == null) {
                return null;
            }
            List<Record> records = new ArrayList<>();
            ByteBuffer copy =
                    ByteBuffer.allocate(slice.sizeBytes()).put(slice.view()).flip();
            slice.release();
            MemoryRecords.readableRecords(copy).records().forEach(records::add);
            return records;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(ByteBuffer value) {
        return StandardCharsets.UTF_8.decode(value.duplicate()).toString();
    }

    void runErrands() throws IOException {
        for (Errand errand : List.copyOf(soon)) {
            errand.run();
        }
        for (Errand errand : List.copyOf(later)) {
            errand.run();
        }
        soon.clear();
        later.clear();
    }

    @Override
    public void soon(String what, Errand errand) {
        soon.add(errand);
    }

    @Override
    public void later(String what, long delayMs, Errand errand) {
        later.add(errand);
    }
}
