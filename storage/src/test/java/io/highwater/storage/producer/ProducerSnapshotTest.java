package io.highwater.storage.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.storage.producer.ProducerSnapshot.CorruptSnapshotException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes, as Kafka writes and reads them. */
class ProducerSnapshotTest {
    private static final HexFormat HEX = HexFormat.of();

    /** Version, checksum, one producer: id, epoch, sequence, offset, delta, timestamp, coordinator epoch, open transaction. */
    private static final byte[] OPEN_TRANSACTION = HEX.parseHex("0001" + "9f47a594" + "00000001" + "0000000000000006"
            + "0000" + "00000001" + "0000000000000001" + "00000000" + "0000018bcfe56801" + "ffffffff"
            + "0000000000000000");

    private static final byte[] AFTER_A_BUMPING_MARKER = HEX.parseHex("0001" + "aeea0aef" + "00000001"
            + "0000000000000006" + "0005" + "ffffffff" + "ffffffffffffffff" + "00000000" + "000001a228875d55"
            + "00000002" + "ffffffffffffffff");

    private static final byte[] NOBODY = HEX.parseHex("0001" + "48674bc7" + "00000000");

    @TempDir
    Path directory;

    @Test
    void writesTheBytesOfAnOpenTransaction() {
        ProducerState state = new ProducerState(6);
        state.add((short) 0, new AppendedBatch(1, 1, 0, 0x18bcfe56801L));
        state.transactionFirstOffset = 0;

        assertThat(ProducerSnapshot.format(List.of(state))).isEqualTo(ByteBuffer.wrap(OPEN_TRANSACTION));
    }

    @Test
    void writesTheBytesOfAProducerWhoseBatchesAMarkerCleared() {
        ProducerState state = new ProducerState(6);
        state.add((short) 4, new AppendedBatch(0, 7, 0, 1));
        state.endTransaction((short) 5, 2, 0x1a228875d55L);

        assertThat(ProducerSnapshot.format(List.of(state))).isEqualTo(ByteBuffer.wrap(AFTER_A_BUMPING_MARKER));
    }

    @Test
    void nobodyIsTenBytes() {
        assertThat(ProducerSnapshot.format(List.of())).isEqualTo(ByteBuffer.wrap(NOBODY));
    }

    @Test
    void readsWhatItWrites() throws IOException {
        for (byte[] bytes : List.of(OPEN_TRANSACTION, AFTER_A_BUMPING_MARKER, NOBODY)) {
            List<ProducerState> read = ProducerSnapshot.read(file(bytes));

            assertThat(ProducerSnapshot.format(read)).isEqualTo(ByteBuffer.wrap(bytes));
        }
    }

    @Test
    void aSnapshotCutAnywhereIsNotUsable() throws IOException {
        for (int length = 0; length < OPEN_TRANSACTION.length; length++) {
            Path file = file(Arrays.copyOf(OPEN_TRANSACTION, length));

            assertThatThrownBy(() -> ProducerSnapshot.read(file)).isInstanceOf(CorruptSnapshotException.class);
        }
    }

    @Test
    void aSnapshotWithAnyByteChangedIsNotUsable() throws IOException {
        for (int at = 0; at < OPEN_TRANSACTION.length; at++) {
            byte[] changed = OPEN_TRANSACTION.clone();
            changed[at] ^= 0x10;
            Path file = file(changed);

            assertThatThrownBy(() -> ProducerSnapshot.read(file))
                    .as("byte %d", at)
                    .isInstanceOf(CorruptSnapshotException.class)
                    .hasMessageContaining(file.toString());
        }
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(directory.resolve("00000000000000000002.snapshot"), bytes);
    }
}
