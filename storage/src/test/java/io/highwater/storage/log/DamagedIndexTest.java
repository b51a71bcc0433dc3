package io.highwater.storage.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Somebody has damaged indexes after a clean stop: batches tell what should be in them. */
class DamagedIndexTest {
    private static final long NOW = LogFixture.NOW;
    private static final int PER_SEGMENT = 30;
    private static final List<Long> BASES = List.of(0L, 31L, 62L);

    @TempDir
    Path directory;

    private LogFixture fixture = new LogFixture(Path.of("unset"));
    private List<String> written = List.of();

    @BeforeEach
    void threeSegmentsWithProducersAndAnAbortedTransactionEach() throws IOException {
        fixture = new LogFixture(directory);
        PartitionLog log = fixture.openClean();
        for (int segment = 0; segment < BASES.size(); segment++) {
            if (segment > 0) {
                log.roll(NOW);
            }
            for (int i = 0; i < PER_SEGMENT; i++) {
                send(log, segment * PER_SEGMENT + i);
            }
            abort(log, 7);
        }
        written = LogFixture.readAll(log, 0);
        log.close();
    }

    static Stream<Arguments> damages() {
        List<Arguments> all = new ArrayList<>();
        for (String kind : List.of(".index", ".timeindex", ".txnindex")) {
            for (long base : BASES) {
                for (Damage damage : Damage.values()) {
                    all.add(Arguments.of(kind, base, damage));
                }
            }
        }
        return all.stream();
    }

    enum Damage {
        GARBAGE {
            @Override
            byte[] to(byte[] whole) {
                byte[] garbage = whole.clone();
                new Random(1).nextBytes(garbage);
                return garbage;
            }
        },
        CUT_IN_AN_ENTRY {
            @Override
            byte[] to(byte[] whole) {
                return Arrays.copyOf(whole, whole.length - 1);
            }
        },
        LAST_ENTRY_BEFORE_THE_SEGMENT {
            @Override
            byte[] to(byte[] whole) {
                byte[] changed = whole.clone();
                Arrays.fill(changed, whole.length - 12, whole.length, (byte) -2);
                return changed;
            }
        };

        abstract byte[] to(byte[] whole);
    }

    @ParameterizedTest(name = "{0} of segment {1}: {2}")
    @MethodSource("damages")
    void areFoundAtTheStartAndBuiltAgain(String kind, long base, Damage damage) throws IOException {
        Path index = file(base, kind);
        byte[] whole = Files.readAllBytes(index);
        Files.write(index, damage.to(whole));

        PartitionLog log = fixture.openClean();

        assertThat(LogFixture.readAll(log, 0)).isEqualTo(written);
        assertThat(send(log, 3 * PER_SEGMENT - 1).duplicate())
                .as("a batch sent again")
                .isTrue();
        log.close();
        assertThat(index).hasBinaryContent(whole);
    }

    @Test
    void thoseThatCrashedAreBuiltAgainBelowTheRecoveryPointToo() throws IOException {
        PartitionLog running = fixture.openClean();
        running.abandon();
        Path index = file(0, ".index");
        byte[] whole = Files.readAllBytes(index);
        Files.write(index, Damage.GARBAGE.to(whole));

        PartitionLog log = fixture.openAfterCrash(62);

        assertThat(LogFixture.readAll(log, 0)).isEqualTo(written);
        log.close();
        assertThat(index).hasBinaryContent(whole);
    }

    @Test
    void whatOnlyAReaderFindsIsBuiltAgainWhereProducersAreReadFrom() throws IOException {
        PartitionLog cut = fixture.openClean();
        cut.truncateTo(77, NOW);
        cut.close();
        byte[] snapshot = Files.readAllBytes(file(77, ".snapshot"));
        PartitionLog refilled = fixture.openClean();
        for (int sequence = 2 * PER_SEGMENT + 15; sequence < 3 * PER_SEGMENT; sequence++) {
            send(refilled, sequence);
        }
        refilled.close();
        Files.delete(file(92, ".snapshot"));
        Files.write(file(77, ".snapshot"), snapshot);
        Path index = file(62, ".index");
        byte[] damaged = Files.readAllBytes(index);
        for (int entry = 8; entry < damaged.length - 8; entry += 8) {
            damaged[entry + 7] ^= 1; // the position
        }
        Files.write(index, damaged);

        PartitionLog log = fixture.openClean();

        for (int offset = 62; offset < 92; offset++) {
            assertThat(LogFixture.readAll(log, offset)).isEqualTo(written.subList(offset, 92));
        }
        assertThat(send(log, 3 * PER_SEGMENT - 1).duplicate())
                .as("a batch sent again")
                .isTrue();
        log.close();
    }

    @Test
    void aRottenBatchWhereProducersAreLookedForCostsNoOther() throws IOException {
        rot(62);

        PartitionLog log = fixture.openClean();

        assertThat(LogFixture.readAll(log, 70)).isEqualTo(written.subList(70, 93));
        log.close();
    }

    @Test
    void aRottenBatchWhereProducersMustBeReadIsRefusedAndNothingCut() throws IOException {
        rot(62);
        for (long snapshot : List.of(62L, 93L)) {
            Files.delete(file(snapshot, ".snapshot"));
        }
        long size = Files.size(file(62, ".log"));

        assertThatThrownBy(() -> fixture.openClean())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file(62, ".log").toString());

        assertThat(Files.size(file(62, ".log"))).isEqualTo(size);
    }

    @Test
    void aRottenBatchThatATruncationMeetsIsNoFailureOfTheDisk() throws IOException {
        PartitionLog log = fixture.openClean();
        rot(62);

        assertThatThrownBy(() -> log.truncateTo(80, NOW)).isInstanceOf(CorruptRecordException.class);

        assertThatThrownBy(() -> log.read(0, 1_000, 10, true)).isInstanceOf(KafkaStorageException.class);
        log.abandon();
    }

    /** Damages the length of the second batch of a segment. */
    private void rot(long base) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(file(base, ".log").toFile(), "rw")) {
            file.seek(8);
            int size = file.readInt() + 12;
            file.seek(size + 8);
            file.writeInt(0);
        }
    }

    private Path file(long base, String kind) {
        return directory.resolve(String.format("%020d", base) + kind);
    }

    private AppendResult send(PartitionLog log, int sequence) {
        return fixture.append(
                log,
                0,
                MemoryRecords.withTransactionalRecords(
                        Compression.NONE,
                        7,
                        (short) 0,
                        sequence,
                        LogFixture.simple(NOW + sequence, "value " + sequence)));
    }

    private static void abort(PartitionLog log, long producerId) {
        MemoryRecords marker = MemoryRecords.withEndTransactionMarker(
                0, NOW, 0, producerId, (short) 0, new EndTransactionMarker(ControlRecordType.ABORT, 0));
        ValidatedRecords validated =
                new BatchValidator().validate(marker, log.settings(), AppendOrigin.COORDINATOR, NOW);
        log.append(validated, AppendOrigin.COORDINATOR, 0, NOW);
    }
}
