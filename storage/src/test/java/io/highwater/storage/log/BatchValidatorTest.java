package io.highwater.storage.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class BatchValidatorTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final LogSettings DEFAULTS = LogSettings.of(Map.of());

    private final BatchValidator validator = new BatchValidator();

    // ---- what passes ------------------------------------------------------------------------------------------------

    @Test
    void aBatchAsKafkaWritesItIsLeftAsItIs() {
        byte[] golden = HexFormat.of()
                .parseHex("0000000000000000" + "00000041" + "00000000" + "02" + "3c80a81c" + "0000" + "00000000"
                        + "0000018bcfe56800" + "0000018bcfe56800" + "0000000000000000" + "0000" + "00000000"
                        + "00000001" + "1e00000004" + hex("k0") + "0e" + hex("value-0") + "00");

        PreparedBatch batch = accepted(MemoryRecords.readableRecords(ByteBuffer.wrap(golden.clone())), DEFAULTS);
        batch.place(0, 0);

        assertThat(batch.buffer()).isEqualTo(ByteBuffer.wrap(golden));
        assertThat(batch.sizeBytes()).isEqualTo(77);
        assertThat(batch.recordCount()).isEqualTo(1);
        assertThat(batch.maxTimestamp()).isEqualTo(0x18bcfe56800L);
        assertThat(batch.header().producerId()).isZero();
        assertThat(batch.header().baseSequence()).isZero();
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void aBatchThatKeepsItsCodecIsPlacedWithoutACopy(CompressionType codec) {
        ByteBuffer frame = ByteBuffer.allocateDirect(4096);
        frame.position(100);
        frame.put(batch(codec, record("a", 1), record("b", 5), record("c", 3)).buffer());
        frame.flip().position(100);

        PreparedBatch batch = accepted(MemoryRecords.readableRecords(frame.slice()), DEFAULTS);
        batch.place(42, 7);

        assertThat(frame.getLong(100)).isEqualTo(42);
        assertThat(frame.getInt(112)).isEqualTo(7);
        assertThat(batch.header().isValid()).isTrue();
        assertThat(batch.header().baseOffset()).isEqualTo(42);
        assertThat(batch.header().lastOffset()).isEqualTo(44);
        assertThat(batch.maxTimestamp()).isEqualTo(NOW + 5);
        assertThat(batch.offsetDeltaOfMaxTimestamp()).isEqualTo(1);
        assertThat(batch.logAppendTimeMs()).isEqualTo(-1);
    }

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource("codecPairs")
    void aBatchIsRebuiltInTheTopicsCodec(CompressionType from, String to) {
        SimpleRecord[] records = {
            new SimpleRecord(NOW, bytes("k"), bytes("v"), new Header[] {new RecordHeader("h", bytes("x"))}),
            new SimpleRecord(NOW + 2, null, bytes("long".repeat(20_000))),
            new SimpleRecord(NOW - 3, bytes("k"), null, new Header[] {new RecordHeader("n", (byte[]) null)}),
        };
        MemoryRecords sent =
                MemoryRecords.withIdempotentRecords(Compression.of(from).build(), 9L, (short) 3, 17, records);

        PreparedBatch batch = accepted(sent, LogSettings.of(Map.of("compression.type", to)));
        batch.place(1000, 5);

        MutableRecordBatch header = batch.header();
        assertThat(header.isValid()).isTrue();
        assertThat(header.compressionType().name).isEqualTo(to.equals("uncompressed") ? "none" : to);
        assertThat(header.producerId()).isEqualTo(9);
        assertThat(header.producerEpoch()).isEqualTo((short) 3);
        assertThat(header.baseSequence()).isEqualTo(17);
        assertThat(header.countOrNull()).isEqualTo(3);
        assertThat(header.lastOffset()).isEqualTo(1002);
        assertThat(header.partitionLeaderEpoch()).isEqualTo(5);
        assertThat(header.maxTimestamp()).isEqualTo(NOW + 2);
        assertThat(contents(batch)).containsExactly(records);
    }

    @Test
    void aTransactionalBatchStaysOneWhenItIsRebuilt() {
        MemoryRecords sent = MemoryRecords.withTransactionalRecords(Compression.NONE, 9L, (short) 3, 0, record("a", 0));

        PreparedBatch batch = accepted(sent, LogSettings.of(Map.of("compression.type", "zstd")));

        assertThat(batch.header().isTransactional()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void logAppendTimeStampsTheBatch(CompressionType codec) {
        MemoryRecords sent = batch(codec, record("a", -1_000_000_000_000L), record("b", 1_000_000_000_000L));

        PreparedBatch batch = accepted(sent, LogSettings.of(Map.of("message.timestamp.type", "LogAppendTime")));

        assertThat(batch.header().timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
        assertThat(batch.header().isValid()).isTrue();
        assertThat(batch.maxTimestamp()).isEqualTo(NOW);
        assertThat(batch.logAppendTimeMs()).isEqualTo(NOW);
        assertThat(records(batch)).allMatch(record -> record.timestamp() == NOW);
    }

    @Test
    void aLieAboutTheLargestTimestampIsPutRight() {
        MemoryRecords sent = Tampered.copyOf(batch(CompressionType.NONE, record("a", 1), record("b", 2)))
                .setLong(Tampered.MAX_TIMESTAMP_AT, NOW + 1_000_000)
                .sealed();

        PreparedBatch batch = accepted(sent, DEFAULTS);

        assertThat(batch.maxTimestamp()).isEqualTo(NOW + 2);
        assertThat(batch.header().isValid()).isTrue();
    }

    @Test
    void recordsWithoutATimestampPass() {
        MemoryRecords sent = MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(-1L, null, bytes("v")));

        assertThat(accepted(sent, LogSettings.of(Map.of("message.timestamp.before.max.ms", "1")))
                        .maxTimestamp())
                .isEqualTo(-1);
    }

    @Test
    void timestampsAtTheVeryBoundsPass() {
        LogSettings settings =
                LogSettings.of(Map.of("message.timestamp.before.max.ms", "10", "message.timestamp.after.max.ms", "20"));

        accepted(batch(CompressionType.NONE, record("a", -10), record("b", 20)), settings);
    }

    @Test
    void whatFollowsTheBatchIncompleteIsIgnored() {
        MemoryRecords sent = batch(CompressionType.NONE, record("a", 0));
        ByteBuffer longer = ByteBuffer.allocate(sent.sizeInBytes() + 30);
        longer.put(sent.buffer()).put(sent.buffer().slice(0, 30)).flip();

        assertThat(accepted(MemoryRecords.readableRecords(longer), DEFAULTS).sizeBytes())
                .isEqualTo(sent.sizeInBytes());
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void recordsThatAreNotNumberedInSequenceAreNumberedAnew(CompressionType codec) {
        var builder = MemoryRecords.builder(
                ByteBuffer.allocate(1024), Compression.of(codec).build(), TimestampType.CREATE_TIME, 0L);
        builder.appendWithOffset(0, record("a", 0));
        builder.appendWithOffset(70, record("b", 0));
        builder.appendWithOffset(300, record("c", 0));
        MemoryRecords sent = Tampered.copyOf(builder.build())
                .setInt(Tampered.LAST_OFFSET_DELTA_AT, 2)
                .sealed();

        PreparedBatch batch = accepted(sent, DEFAULTS);
        batch.place(10, 0);

        assertThat(records(batch)).extracting(Record::offset).containsExactly(10L, 11L, 12L);
        assertThat(contents(batch)).containsExactly(record("a", 0), record("b", 0), record("c", 0));
        assertThat(batch.header().isValid()).isTrue();
    }

    @Test
    void aCoordinatorMayWriteControlBatches() {
        for (String codec : List.of("producer", "zstd")) {
            PreparedBatch batch = validator
                    .validate(
                            marker(), LogSettings.of(Map.of("compression.type", codec)), AppendOrigin.COORDINATOR, NOW)
                    .batch();

            assertThat(batch.header().isControlBatch()).isTrue();
            assertThat(batch.header().compressionType()).isEqualTo(CompressionType.NONE);
            assertThat(batch.sizeBytes()).isEqualTo(78);
        }
    }

    // ---- what does not ----------------------------------------------------------------------------------------------

    @Test
    void noRecordsAtAllAreRefused() {
        assertRefused(MemoryRecords.EMPTY, Errors.INVALID_RECORD, "no complete batch");
        assertRefused(
                MemoryRecords.readableRecords(ByteBuffer.allocate(10)), Errors.INVALID_RECORD, "no complete batch");
    }

    @Test
    void twoBatchesAreRefused() {
        MemoryRecords one = batch(CompressionType.NONE, record("a", 0));
        ByteBuffer two = ByteBuffer.allocate(2 * one.sizeInBytes());
        two.put(one.buffer()).put(one.buffer()).flip();

        assertRefused(MemoryRecords.readableRecords(two), Errors.INVALID_RECORD, "more than one batch");
    }

    @Test
    void anOldFormatIsRefused() {
        MemoryRecords sent = MemoryRecords.withRecords((byte) 1, Compression.NONE, record("a", 0));

        assertRefused(sent, Errors.INVALID_RECORD, "magic 1");
    }

    @Test
    void aBaseOffsetThatTheProducerChoseIsRefused() {
        MemoryRecords sent = MemoryRecords.withRecords(5L, Compression.NONE, record("a", 0));

        assertRefused(sent, Errors.INVALID_RECORD, "base offset");
    }

    @Test
    void aBatchLargerThanTheTopicTakesIsRefused() {
        MemoryRecords sent = batch(CompressionType.NONE, record("a", 0));
        int size = sent.sizeInBytes();

        accepted(sent, LogSettings.of(Map.of("max.message.bytes", "" + size)));
        assertRefused(
                sent, LogSettings.of(Map.of("max.message.bytes", "" + (size - 1))), Errors.MESSAGE_TOO_LARGE, "bytes");
    }

    @Test
    void aBatchThatIsTooLargeInTheTopicsCodecIsRefused() {
        MemoryRecords sent = batch(CompressionType.GZIP, record("long".repeat(10_000), 0));
        Map<String, String> config = Map.of("max.message.bytes", "2000", "compression.type", "uncompressed");

        assertRefused(sent, LogSettings.of(config), Errors.MESSAGE_TOO_LARGE, "max.message.bytes is 2000");
    }

    @Test
    void everyFlippedBitUnderTheChecksumIsNoticed() {
        MemoryRecords sent = batch(CompressionType.NONE, record("a", 0));
        for (int at = Tampered.CRC_AT; at < sent.sizeInBytes(); at++) {
            int flipped = sent.buffer().get(at) ^ 1;

            ValidatedRecords answer =
                    validate(Tampered.copyOf(sent).setByte(at, flipped).unsealed(), DEFAULTS);

            assertThat(answer.error()).as("byte %d", at).isEqualTo(Errors.CORRUPT_MESSAGE);
        }
    }

    @Test
    void aBatchShorterThanItsHeaderIsRefused() {
        for (int length = 14; length < 49; length++) {
            ByteBuffer bytes = ByteBuffer.allocate(100);
            bytes.putInt(Tampered.BATCH_LENGTH_AT, length).put(Tampered.MAGIC_AT, (byte) 2);

            assertRefused(MemoryRecords.readableRecords(bytes), Errors.CORRUPT_MESSAGE, "");
        }
    }

    @Test
    void aLyingLengthIsRefused() {
        for (int length : new int[] {-1, Integer.MIN_VALUE, 0, 13}) {
            MemoryRecords sent = Tampered.copyOf(batch(CompressionType.NONE, record("a", 0)))
                    .setInt(Tampered.BATCH_LENGTH_AT, length)
                    .unsealed();

            assertRefused(sent, Errors.CORRUPT_MESSAGE, "");
        }
    }

    @Test
    void countsThatDoNotAgreeAreRefused() {
        MemoryRecords sent = batch(CompressionType.NONE, record("a", 0), record("b", 0));

        assertRefused(Tampered.copyOf(sent).setInt(Tampered.COUNT_AT, 3).sealed(), Errors.INVALID_RECORD, "3 records");
        assertRefused(Tampered.copyOf(sent).setInt(Tampered.COUNT_AT, 0).sealed(), Errors.INVALID_RECORD, "0 records");
        assertRefused(
                Tampered.copyOf(sent).setInt(Tampered.COUNT_AT, -1).sealed(), Errors.INVALID_RECORD, "-1 records");
        assertRefused(
                Tampered.copyOf(sent).setInt(Tampered.LAST_OFFSET_DELTA_AT, -2).sealed(),
                Errors.INVALID_RECORD,
                "last offset");
        assertRefused(
                Tampered.copyOf(sent)
                        .setInt(Tampered.COUNT_AT, 3)
                        .setInt(Tampered.LAST_OFFSET_DELTA_AT, 2)
                        .sealed(),
                Errors.INVALID_RECORD,
                "end before");
        assertRefused(
                Tampered.copyOf(sent)
                        .setInt(Tampered.COUNT_AT, 1)
                        .setInt(Tampered.LAST_OFFSET_DELTA_AT, 0)
                        .sealed(),
                Errors.INVALID_RECORD,
                "remain");
    }

    @Test
    void aProducersControlBatchIsRefused() {
        assertRefused(marker(), Errors.INVALID_RECORD, "control");
    }

    @Test
    void aProducerWithoutASequenceIsRefused() {
        MemoryRecords sent = Tampered.copyOf(
                        MemoryRecords.withIdempotentRecords(Compression.NONE, 1L, (short) 0, 0, record("a", 0)))
                .setInt(Tampered.BASE_SEQUENCE_AT, -1)
                .sealed();

        assertRefused(sent, Errors.INVALID_RECORD, "sequence -1");
    }

    @Test
    void aCodecThatDoesNotExistIsRefused() {
        for (int codec = 5; codec < 8; codec++) {
            MemoryRecords sent = Tampered.copyOf(batch(CompressionType.NONE, record("a", 0)))
                    .setShort(Tampered.ATTRIBUTES_AT, codec)
                    .sealed();

            assertRefused(sent, Errors.UNSUPPORTED_COMPRESSION_TYPE, "codec");
        }
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void aCompactedTopicRefusesRecordsWithoutAKey(CompressionType codec) {
        MemoryRecords sent = MemoryRecords.withRecords(
                Compression.of(codec).build(),
                new SimpleRecord(NOW, bytes("k"), bytes("v")),
                new SimpleRecord(NOW, null, bytes("v")),
                new SimpleRecord(NOW, bytes(""), bytes("v")),
                new SimpleRecord(NOW, (byte[]) null, null));

        ValidatedRecords answer = validate(sent, LogSettings.of(Map.of("cleanup.policy", "compact")));

        assertThat(answer.error()).isEqualTo(Errors.INVALID_RECORD);
        assertThat(answer.badRecords())
                .extracting(ValidatedRecords.BadRecord::index)
                .containsExactly(1, 3);
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void timestampsOutOfBoundsAreRefusedRecordByRecord(CompressionType codec) {
        LogSettings settings =
                LogSettings.of(Map.of("message.timestamp.before.max.ms", "10", "message.timestamp.after.max.ms", "20"));

        ValidatedRecords answer =
                validate(batch(codec, record("a", 0), record("b", -11), record("c", 5), record("d", 21)), settings);

        assertThat(answer.error()).isEqualTo(Errors.INVALID_TIMESTAMP);
        assertThat(answer.badRecords())
                .extracting(ValidatedRecords.BadRecord::index)
                .containsExactly(1, 3);
        assertThat(answer.badRecords().get(0).message())
                .contains("" + (NOW - 11), "[" + (NOW - 10) + ", " + (NOW + 20) + "]");
    }

    @Test
    void aWrongTimestampOutranksAMissingKey() {
        MemoryRecords sent = MemoryRecords.withRecords(
                Compression.NONE,
                new SimpleRecord(NOW, null, bytes("v")),
                new SimpleRecord(NOW + 7_200_000, bytes("k"), bytes("v")));

        ValidatedRecords answer = validate(sent, LogSettings.of(Map.of("cleanup.policy", "compact")));

        assertThat(answer.error()).isEqualTo(Errors.INVALID_TIMESTAMP);
        assertThat(answer.badRecords()).hasSize(2);
    }

    @Test
    void aProducerMayNotClaimLogAppendTime() {
        MemoryRecords sent = Tampered.copyOf(batch(CompressionType.NONE, record("a", 0)))
                .setShort(Tampered.ATTRIBUTES_AT, 8)
                .sealed();

        assertRefused(
                sent,
                LogSettings.of(Map.of("message.timestamp.type", "LogAppendTime")),
                Errors.INVALID_TIMESTAMP,
                "LogAppendTime");
    }

    @Test
    void onlySoManyBadRecordsAreNamed() {
        SimpleRecord[] records = new SimpleRecord[BatchValidator.BAD_RECORDS_MAX + 5];
        Arrays.fill(records, new SimpleRecord(NOW, null, bytes("v")));

        ValidatedRecords answer = validate(
                MemoryRecords.withRecords(Compression.NONE, records),
                LogSettings.of(Map.of("cleanup.policy", "compact")));

        assertThat(answer.badRecords()).hasSize(BatchValidator.BAD_RECORDS_MAX);
        assertThat(answer.message()).contains("" + records.length);
    }

    static Stream<Arguments> codecPairs() {
        return Arrays.stream(CompressionType.values())
                .flatMap(from -> Stream.of("uncompressed", "gzip", "snappy", "lz4", "zstd")
                        .map(to -> Arguments.of(from, to)));
    }

    private ValidatedRecords validate(MemoryRecords records, LogSettings settings) {
        return validator.validate(records, settings, AppendOrigin.CLIENT, NOW);
    }

    private PreparedBatch accepted(MemoryRecords records, LogSettings settings) {
        ValidatedRecords answer = validate(records, settings);
        assertThat(answer.isRefused()).as(answer.message()).isFalse();
        assertThat(answer.error()).isEqualTo(Errors.NONE);
        return answer.batch();
    }

    private void assertRefused(MemoryRecords records, Errors error, String message) {
        assertRefused(records, DEFAULTS, error, message);
    }

    private void assertRefused(MemoryRecords records, LogSettings settings, Errors error, String message) {
        ValidatedRecords answer = validate(records, settings);
        assertThat(answer.error()).isEqualTo(error);
        assertThat(answer.message()).contains(message);
    }

    private static MemoryRecords batch(CompressionType codec, SimpleRecord... records) {
        return MemoryRecords.withRecords(Compression.of(codec).build(), records);
    }

    private static MemoryRecords marker() {
        return MemoryRecords.withEndTransactionMarker(
                NOW, 1L, (short) 0, new EndTransactionMarker(ControlRecordType.COMMIT, 4));
    }

    private static SimpleRecord record(String value, long sinceNow) {
        return new SimpleRecord(NOW + sinceNow, bytes("key"), bytes(value));
    }

    private static List<Record> records(PreparedBatch batch) {
        return StreamSupport.stream(batch.header().spliterator(), false).toList();
    }

    private static List<SimpleRecord> contents(PreparedBatch batch) {
        return records(batch).stream().map(SimpleRecord::new).toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(bytes(text));
    }
}
