package io.highwater.storage.producer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.utils.internals.Crc32C;

/**
 * The bytes of a {@code .snapshot} file, version 1: version, checksum over all that follows it, count, and 46 bytes per producer.
 * Of each producer only the last batch is kept.
 */
final class ProducerSnapshot {
    static final short VERSION = 1;
    static final int HEADER_BYTES = 10;
    static final int ENTRY_BYTES = 46;

    private static final int CRC_AT = 2;
    private static final int CHECKED_FROM = 6;

    private ProducerSnapshot() {}

    /** The file is not a snapshot, or not a whole one. */
    static final class CorruptSnapshotException extends IOException {
        private static final long serialVersionUID = 1L;

        CorruptSnapshotException(Path file, String problem) {
            super(file + " is not a usable producer snapshot: " + problem);
        }
    }

    /** Writes in place: a torn file is found by its checksum. */
    static void write(Path file, Collection<ProducerState> producers, boolean fsync) throws IOException {
        ByteBuffer bytes = format(producers);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            if (fsync) {
                channel.force(true);
            }
        } catch (IOException e) {
            deleteQuietly(file, e);
            throw e;
        }
    }

    private static void deleteQuietly(Path file, IOException cause) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    static ByteBuffer format(Collection<ProducerState> producers) {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + producers.size() * ENTRY_BYTES);
        bytes.putShort(VERSION).putInt(0).putInt(producers.size());
        for (ProducerState producer : producers) {
            AppendedBatch last = producer.last();
            bytes.putLong(producer.producerId)
                    .putShort(producer.epoch)
                    .putInt(producer.lastSequence())
                    .putLong(last == null ? ProducerState.NONE : last.lastOffset())
                    .putInt(last == null ? 0 : last.offsetDelta())
                    .putLong(producer.lastTimestampMs)
                    .putInt(producer.coordinatorEpoch)
                    .putLong(producer.transactionFirstOffset);
        }
        bytes.flip(); // the checksum counts from the position
        bytes.putInt(CRC_AT, (int) Crc32C.compute(bytes, CHECKED_FROM, bytes.limit() - CHECKED_FROM));
        return bytes;
    }

    static List<ProducerState> read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        if (bytes.remaining() < HEADER_BYTES) {
            throw new CorruptSnapshotException(file, "it has only " + bytes.remaining() + " bytes");
        }
        short version = bytes.getShort();
        int crc = bytes.getInt();
        int count = bytes.getInt();
        if (version != VERSION) {
            throw new CorruptSnapshotException(file, "version " + version);
        }
        if (crc != (int) Crc32C.compute(bytes.duplicate().clear(), CHECKED_FROM, bytes.limit() - CHECKED_FROM)) {
            throw new CorruptSnapshotException(file, "its checksum does not match");
        }
        if (count < 0 || (long) count * ENTRY_BYTES != bytes.remaining()) {
            throw new CorruptSnapshotException(file, count + " producers in " + bytes.remaining() + " bytes");
        }
        List<ProducerState> producers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            producers.add(readEntry(bytes));
        }
        return producers;
    }

    private static ProducerState readEntry(ByteBuffer bytes) {
        ProducerState producer = new ProducerState(bytes.getLong());
        producer.epoch = bytes.getShort();
        int lastSequence = bytes.getInt();
        long lastOffset = bytes.getLong();
        int offsetDelta = bytes.getInt();
        producer.lastTimestampMs = bytes.getLong();
        producer.coordinatorEpoch = bytes.getInt();
        producer.transactionFirstOffset = Math.max(ProducerState.NONE, bytes.getLong());
        if (lastOffset >= 0) {
            producer.add(
                    producer.epoch, new AppendedBatch(lastSequence, lastOffset, offsetDelta, producer.lastTimestampMs));
        }
        return producer;
    }
}
