package io.highwater.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FatalFaultTest {
    @TempDir
    Path directory;

    @Test
    void aRecordThatNobodyCanReadStopsTheStartWithASentence() throws IOException {
        TestNode.combined(1, directory).start().unfenced().close();
        append(new byte[] {99, 99, 99, 99});

        try (TestNode node = TestNode.combined(1, directory)) {
            assertThatThrownBy(node::start)
                    .isInstanceOfSatisfying(
                            ControlPlaneException.class,
                            failed -> assertThat(failed.reason()).isEqualTo(ControlPlaneException.Reason.DISK))
                    .hasMessageContaining("cannot read the metadata log in " + directory);
        }
    }

    @Test
    void aRecordThatContradictsTheOthersEndsTheNodeInsteadOfElectingForEver() throws IOException {
        TestNode.combined(1, directory).start().unfenced().close();
        append(serialized(
                new PartitionChangeRecord().setTopicId(Uuid.randomUuid()).setPartitionId(3)));

        try (TestNode node = TestNode.combined(1, directory).start()) {
            await().until(() -> node.fault.get() != null);
            assertThatThrownBy(
                            () -> TestNode.await(node.controlPlane.lifecycle().caughtUp()))
                    .isInstanceOf(ControlPlaneException.class);
            // Both read the log, each in its own thread; either may be the first to stumble.
            assertThat(node.fault.get()).matches("(controller|metadata loader): .*");
        }
    }

    private static byte[] serialized(ApiMessage record) {
        ApiMessageAndVersion versioned = new ApiMessageAndVersion(record, (short) 0);
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer bytes = ByteBuffer.allocate(MetadataRecordSerde.INSTANCE.recordSize(versioned, cache));
        MetadataRecordSerde.INSTANCE.write(versioned, cache, new ByteBufferAccessor(bytes));
        return bytes.array();
    }

    /** Appends a batch that is sound as a batch. */
    private void append(byte[] value) throws IOException {
        Path log = directory.resolve("__cluster_metadata-0/00000000000000000000.log");
        ByteBuffer bytes = ByteBuffer.allocate((int) java.nio.file.Files.size(log));
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining() && file.read(bytes) >= 0) {}
            bytes.flip();
            long end = 0;
            int epoch = 0;
            for (var existing : MemoryRecords.readableRecords(bytes).batches()) {
                end = existing.nextOffset();
                epoch = existing.partitionLeaderEpoch();
            }
            MemoryRecords batch = MemoryRecords.withRecords(end, Compression.NONE, epoch, new SimpleRecord(0L, value));
            file.position(file.size());
            ByteBuffer out = batch.buffer().duplicate();
            while (out.hasRemaining()) {
                file.write(out);
            }
        }
    }
}
