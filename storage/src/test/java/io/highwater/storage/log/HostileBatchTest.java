package io.highwater.storage.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Batches with a true checksum and everything else wrong: refused with an answer, never with an exception or much memory. */
class HostileBatchTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final LogSettings DEFAULTS = LogSettings.of(Map.of());
    private static final MemoryRecords HEADER =
            MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(NOW, bytes("key"), bytes("value")));

    private final BatchValidator validator = new BatchValidator();

    @Test
    void recordsWhosePartsDoNotAddUpAreRefused() {
        // length, attributes, timestamp delta, offset delta, key length, value length, header count; all varints
        // zig-zag
        assertRefused("a body longer than the batch", 0x7e, 0, 0, 0, 1, 1, 0);
        assertRefused("a negative length", 0x01, 0, 0, 0, 1, 1, 0);
        assertRefused("a length that is too small", 0x0a, 0, 0, 0, 1, 1, 0);
        assertRefused("a length that is too large", 0x0e, 0, 0, 0, 1, 1, 0, 0);
        assertRefused("a key longer than its record", 0x0c, 0, 0, 0, 0x10, 1, 0);
        assertRefused("a value longer than its record", 0x0c, 0, 0, 0, 1, 0x10, 0);
        assertRefused("a negative header count", 0x0c, 0, 0, 0, 1, 1, 1);
        assertRefused("more headers than bytes", 0x0c, 0, 0, 0, 1, 1, 0x7e);
        assertRefused("a header without a key", 0x10, 0, 0, 0, 1, 1, 2, 1, 1);
        assertRefused("a header longer than its record", 0x10, 0, 0, 0, 1, 1, 2, 0x10, 1);
        assertRefused("an endless varint", 0x8c, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80);
        assertRefused("an endless varlong", 0x1c, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0);
        assertRefused("nothing");
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void aPartIsMeasuredAgainstItsRecordBeforeItIsReadOver(CompressionType codec) {
        // The key claims a hundred bytes; they are there, but the record said six.
        byte[] body = Arrays.copyOf(new byte[] {0x0c, 0, 0, 0, (byte) 0xc8, 1}, 200);

        assertThat(validate(compressed(codec, 1, body), DEFAULTS).message()).contains("longer than the record");
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void theSmallestWholeRecordIsTaken(CompressionType codec) throws IOException {
        MemoryRecords sent = compressed(codec, 1, new byte[] {0x0c, 0, 0, 0, 1, 1, 0});

        assertThat(validate(sent, DEFAULTS).isRefused()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(value = CompressionType.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void bytesThatAreNoCompressedStreamAreRefused(CompressionType codec) {
        byte[] garbage = new byte[200];
        new Random(1).nextBytes(garbage);
        MemoryRecords sent = Tampered.withBody(HEADER, garbage)
                .setShort(Tampered.ATTRIBUTES_AT, codec.id)
                .sealed();

        assertThat(validate(sent, DEFAULTS).error()).isEqualTo(Errors.INVALID_RECORD);
    }

    @ParameterizedTest
    @EnumSource(value = CompressionType.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aRecordLargerThanTheTopicAllowsInflatedIsRefused(CompressionType codec) {
        byte[] value = new byte[100_000];
        MemoryRecords sent =
                MemoryRecords.withRecords(Compression.of(codec).build(), new SimpleRecord(NOW, bytes("k"), value));

        ValidatedRecords within = validate(sent, LogSettings.of(Map.of("max.decompressed.message.bytes", "100100")));
        ValidatedRecords above = validate(sent, LogSettings.of(Map.of("max.decompressed.message.bytes", "100000")));

        assertThat(within.isRefused()).isFalse();
        assertThat(above.error()).isEqualTo(Errors.INVALID_RECORD);
        assertThat(above.message()).contains("100000");
    }

    @Test
    void theBoundOnInflatedRecordsIsNoBoundOnUncompressedOnes() {
        MemoryRecords sent = MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(NOW, null, new byte[1000]));

        assertThat(validate(sent, LogSettings.of(Map.of("max.decompressed.message.bytes", "10")))
                        .isRefused())
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionType.class,
            names = {"GZIP", "ZSTD"})
    void aBombIsRefusedByItsSumBeforeItIsInflatedWhole(CompressionType codec) throws IOException {
        int bodyBytes = 40 << 20;
        int count = 10;
        byte[] head = {0, 0, 0, 1}; // attributes, timestamp delta, offset delta, null key
        MemoryRecords sent = bomb(codec, count, bodyBytes, head);
        assertThat(sent.sizeInBytes()).isLessThan(1 << 20);

        ValidatedRecords answer = validate(sent, DEFAULTS);

        assertThat(answer.error()).isEqualTo(Errors.MESSAGE_TOO_LARGE);
        assertThat(answer.message()).contains("inflates");
    }

    @Test
    void aSnappyBlockThatClaimsToBeHugeIsRefusedBeforeMemoryIsTaken() {
        byte[] claim = {
            (byte) 0x82,
            'S',
            'N',
            'A',
            'P',
            'P',
            'Y',
            0,
            0,
            0,
            0,
            1,
            0,
            0,
            0,
            1, // stream header
            0,
            0,
            0,
            6, // frame of six bytes
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xff,
            0x07,
            0 // inflates to 2 GiB, it says
        };
        MemoryRecords sent = Tampered.withBody(HEADER, claim)
                .setShort(Tampered.ATTRIBUTES_AT, CompressionType.SNAPPY.id)
                .sealed();

        ValidatedRecords answer = validate(sent, DEFAULTS);

        assertThat(answer.error()).isEqualTo(Errors.INVALID_RECORD);
        assertThat(answer.message()).contains("claims to inflate");
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("codecsAndSeeds")
    void mutilatedBatchesGetAnAnswer(CompressionType codec, long seed) {
        Random random = new Random(seed);
        LogSettings[] topics = {
            DEFAULTS,
            LogSettings.of(Map.of("compression.type", "lz4")),
            LogSettings.of(Map.of("cleanup.policy", "compact", "message.timestamp.type", "LogAppendTime")),
        };
        for (int round = 0; round < 2000; round++) {
            MemoryRecords sent = mutilated(codec, random);

            ValidatedRecords answer = validate(sent, topics[round % topics.length]);

            if (!answer.isRefused()) {
                answer.batch().place(5, 1);
                assertReadable(answer.batch());
            }
        }
    }

    static Stream<Arguments> codecsAndSeeds() {
        long replay = Long.getLong("seed", 0);
        LongStream seeds = replay != 0 ? LongStream.of(replay) : LongStream.of(1, 2);
        return seeds.boxed()
                .flatMap(seed -> Arrays.stream(CompressionType.values()).map(codec -> Arguments.of(codec, seed)));
    }

    private static void assertReadable(PreparedBatch batch) {
        assertThat(batch.header().isValid()).isTrue();
        long expected = batch.header().baseOffset();
        for (Record record : batch.header()) {
            assertThat(record.offset()).isEqualTo(expected++);
        }
        assertThat(expected).isEqualTo(batch.header().lastOffset() + 1);
    }

    private static MemoryRecords mutilated(CompressionType codec, Random random) {
        SimpleRecord[] records = new SimpleRecord[1 + random.nextInt(5)];
        for (int i = 0; i < records.length; i++) {
            byte[] value = new byte[random.nextInt(300)];
            random.nextBytes(value);
            records[i] = new SimpleRecord(NOW + random.nextInt(1000), bytes("key" + i), value);
        }
        Tampered sent =
                Tampered.copyOf(MemoryRecords.withRecords(Compression.of(codec).build(), records));
        int size = sent.unsealed().sizeInBytes();
        for (int i = random.nextInt(4); i >= 0; i--) {
            // The length itself is the frame's business; everything behind the checksum is ours.
            int at = Tampered.ATTRIBUTES_AT + random.nextInt(size - Tampered.ATTRIBUTES_AT);
            sent.setByte(at, random.nextInt(256));
        }
        return sent.sealed();
    }

    private void assertRefused(String why, int... body) {
        byte[] bytes = new byte[body.length];
        for (int i = 0; i < body.length; i++) {
            bytes[i] = (byte) body[i];
        }
        for (CompressionType codec : CompressionType.values()) {
            ValidatedRecords answer = validate(compressed(codec, 1, bytes), DEFAULTS);
            assertThat(answer.error()).as("%s, %s", why, codec).isEqualTo(Errors.INVALID_RECORD);
        }
    }

    private ValidatedRecords validate(MemoryRecords records, LogSettings settings) {
        return validator.validate(records, settings, AppendOrigin.CLIENT, NOW);
    }

    /** A batch of so many records, whose bytes after compression are these. */
    private static MemoryRecords compressed(CompressionType codec, int count, byte[] body) {
        ByteBufferOutputStream output = new ByteBufferOutputStream(1024);
        try (OutputStream compressor =
                Compression.of(codec).build().wrapForOutput(output, RecordBatch.MAGIC_VALUE_V2)) {
            compressor.write(body);
        } catch (IOException e) {
            throw new IllegalStateException("in memory", e);
        }
        return sealed(codec, count, output.buffer().flip());
    }

    private static MemoryRecords bomb(CompressionType codec, int count, int bodyBytes, byte[] head) throws IOException {
        ByteBufferOutputStream output = new ByteBufferOutputStream(1 << 20);
        byte[] zeros = new byte[1 << 16];
        try (OutputStream compressor =
                Compression.of(codec).build().wrapForOutput(output, RecordBatch.MAGIC_VALUE_V2)) {
            for (int i = 0; i < count; i++) {
                head[2] = (byte) (i << 1);
                byte[] valueLength = varint(bodyBytes - head.length - 5); // five bytes for the two varints that follow
                compressor.write(varint(bodyBytes));
                compressor.write(head);
                compressor.write(valueLength);
                for (int left = bodyBytes - head.length - valueLength.length; left > 0; left -= zeros.length) {
                    compressor.write(zeros, 0, Math.min(left, zeros.length));
                }
            }
        }
        return sealed(codec, count, output.buffer().flip());
    }

    private static MemoryRecords sealed(CompressionType codec, int count, ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        return Tampered.withBody(HEADER, bytes)
                .setShort(Tampered.ATTRIBUTES_AT, codec.id)
                .setInt(Tampered.COUNT_AT, count)
                .setInt(Tampered.LAST_OFFSET_DELTA_AT, count - 1)
                .sealed();
    }

    private static byte[] varint(int value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int left = value << 1;
        while (left > 0x7f) {
            bytes.write((left & 0x7f) | 0x80);
            left >>>= 7;
        }
        bytes.write(left);
        return bytes.toByteArray();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
