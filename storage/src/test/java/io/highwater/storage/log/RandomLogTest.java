package io.highwater.storage.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.storage.segment.LogSlice;
import io.highwater.storage.segment.TimestampedOffset;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random operations on a log and on {@link LogModel}: after each, both say the same. {@code -Dseed=N} replays one. */
class RandomLogTest {
    private static final int STEPS = 400;

    @TempDir
    Path directory;

    private Random random = new Random(0);
    private final LogModel model = new LogModel();
    private final List<Held> held = new ArrayList<>();
    private int epoch;
    private int nextValue;
    private long clockMs = LogFixture.NOW;

    /** A slice that some slow reader still has, and the bytes it held at first. */
    private record Held(LogSlice slice, ByteBuffer firstSeen) {}

    static LongStream seeds() {
        Long only = Long.getLong("seed");
        return only != null ? LongStream.of(only) : LongStream.rangeClosed(1, 12);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatALogHoldsIsWhatItsHistorySays(long seed) throws IOException {
        random = new Random(seed);
        LogFixture fixture = new LogFixture(directory)
                .with("internal.segment.bytes", 5000)
                .with("segment.index.bytes", 120)
                .with("index.interval.bytes", 200)
                .with("segment.ms", 20_000)
                .with("retention.ms", -1);
        PartitionLog log = fixture.openClean();

        for (int step = 0; step < STEPS; step++) {
            try {
                log = act(fixture, log);
                compare(log, "step " + step);
            } catch (RuntimeException e) {
                throw new AssertionError("step " + step, e);
            }
        }

        letReadersGo();
        log.close();
    }

    private PartitionLog act(LogFixture fixture, PartitionLog log) throws IOException {
        int dice = random.nextInt(100);
        if (dice < 45) {
            appendAsLeader(fixture, log);
        } else if (dice < 60) {
            appendAsFollower(log);
        } else if (dice < 66) {
            hold(log);
        } else if (dice < 70 && !held.isEmpty()) {
            held.remove(random.nextInt(held.size())).slice().release();
        } else if (dice < 75) {
            long offset = between(Math.max(0, model.logEndOffset - 30), model.logEndOffset + 2);
            assertThat(log.truncateTo(offset, clockMs)).isEqualTo(offset < model.logEndOffset);
            model.truncateTo(offset);
        } else if (dice < 78) {
            long offset = between(model.logStartOffset, model.logEndOffset);
            log.raiseLogStartOffset(offset);
            model.logStartOffset = offset;
        } else if (dice < 82) {
            retain(fixture, log);
        } else if (dice < 84) {
            log.roll(clockMs);
        } else if (dice < 87) {
            log.flush();
        } else if (dice < 90) {
            fixture.runErrands();
        } else if (dice < 91) {
            long offset = model.logEndOffset + random.nextInt(50);
            log.truncateFullyAndStartAt(offset, clockMs);
            model.startAt(offset);
        } else if (dice < 95) {
            letReadersGo();
            log.close();
            return reopen(fixture, log, true);
        } else {
            log.abandon();
            letReadersGo();
            return reopen(fixture, log, false);
        }
        return log;
    }

    private void letReadersGo() {
        held.forEach(h -> h.slice().release());
        held.clear();
    }

    private PartitionLog reopen(LogFixture fixture, PartitionLog log, boolean clean) throws IOException {
        PartitionLog reopened = fixture.open(model.logStartOffset, log.recoveryPoint(), clean);
        model.reopenedWithEnd(reopened.logEndOffset());
        return reopened;
    }

    private void appendAsLeader(LogFixture fixture, PartitionLog log) {
        epoch += random.nextInt(10) == 0 ? 1 : 0;
        clockMs += random.nextInt(2000);
        String[] values = values();

        AppendResult result = fixture.append(log, epoch, clockMs, values);

        assertThat(result.error()).isEqualTo(Errors.NONE);
        assertThat(result.firstOffset()).isEqualTo(model.logEndOffset);
        model.add(new LogModel.Batch(model.logEndOffset, epoch, clockMs, List.of(values)));
    }

    private void appendAsFollower(PartitionLog log) {
        ByteBuffer fetched = ByteBuffer.allocate(20_000);
        List<LogModel.Batch> batches = new ArrayList<>();
        long next = model.logEndOffset;
        for (int i = random.nextInt(12); i >= 0; i--) {
            next += random.nextInt(5) == 0 ? random.nextInt(7) : 0; // as compaction leaves gaps
            clockMs += random.nextInt(500);
            LogModel.Batch batch = new LogModel.Batch(next, epoch, clockMs, List.of(values()));
            write(fetched, batch);
            batches.add(batch);
            next = batch.lastOffset() + 1;
        }
        fetched.put(new byte[random.nextInt(11)]); // a fetch may end in the middle of a batch

        AppendResult result =
                log.appendAsFollower(FetchedRecords.of(MemoryRecords.readableRecords(fetched.flip()), epoch), clockMs);

        assertThat(result.error()).isEqualTo(Errors.NONE);
        assertThat(result.lastOffset()).isEqualTo(next - 1);
        batches.forEach(model::add);
    }

    private void hold(PartitionLog log) throws IOException {
        LogSlice slice = log.read(
                between(model.logStartOffset, model.logEndOffset), 1 + random.nextInt(3000), Long.MAX_VALUE, true);
        if (slice != null && !slice.isEmpty()) {
            held.add(new Held(slice, copy(slice)));
        }
    }

    private void retain(LogFixture fixture, PartitionLog log) throws IOException {
        log.updateSettings(LogSettings.of(fixture.with("retention.bytes", 1000 + random.nextInt(20_000)).config));
        long highWatermark = between(model.logStartOffset, model.logEndOffset);
        long sizeBefore = log.sizeBytes();

        int dropped = log.retain(clockMs, highWatermark);

        assertThat(log.logStartOffset()).isBetween(model.logStartOffset, Math.max(model.logStartOffset, highWatermark));
        assertThat(dropped > 0).isEqualTo(log.sizeBytes() < sizeBefore);
        model.logStartOffset = log.logStartOffset();
    }

    private void compare(PartitionLog log, String when) throws IOException {
        assertThat(log.logEndOffset()).as(when).isEqualTo(model.logEndOffset);
        assertThat(log.logStartOffset()).as(when).isEqualTo(model.logStartOffset);
        assertThat(log.recoveryPoint()).as(when).isLessThanOrEqualTo(model.logEndOffset);
        assertThat(log.read(model.logStartOffset - 1, 1, Long.MAX_VALUE, true))
                .as(when)
                .isNull();
        assertThat(log.read(model.logEndOffset + 1, 1, Long.MAX_VALUE, true))
                .as(when)
                .isNull();
        assertThat(LogFixture.readAll(log, model.logStartOffset))
                .as(when)
                .isEqualTo(model.read(model.logStartOffset, model.logEndOffset));
        long from = between(model.logStartOffset, model.logEndOffset);
        long bound = between(model.logStartOffset, model.logEndOffset + 3);
        assertThat(LogFixture.readAll(log, from, bound, 1 + random.nextInt(800)))
                .as("%s, from %d below %d", when, from, bound)
                .isEqualTo(model.read(from, bound));
        long timestampMs = clockMs - random.nextInt(60_000);
        TimestampedOffset found = log.offsetForTimestamp(timestampMs);
        assertThat(found == null ? -1 : found.offset())
                .as("%s, at %d", when, timestampMs)
                .isEqualTo(model.offsetForTimestamp(timestampMs));
        for (Held h : held) {
            touch(h);
        }
    }

    /** A reader's bytes may be zeroed by a truncation, and overwritten by later appends; but touching them is always safe. */
    private static void touch(Held h) throws IOException {
        ByteBuffer now = copy(h.slice());
        assertThat(now.remaining()).isEqualTo(h.firstSeen().remaining());
    }

    private String[] values() {
        return IntStream.rangeClosed(0, random.nextInt(5))
                .mapToObj(i -> nextValue++ + "x".repeat(random.nextInt(random.nextInt(20) == 0 ? 1500 : 60)))
                .toArray(String[]::new);
    }

    private void write(ByteBuffer target, LogModel.Batch batch) {
        MemoryRecordsBuilder builder = MemoryRecords.builder(
                ByteBuffer.allocate(20_000),
                RecordBatch.CURRENT_MAGIC_VALUE,
                Compression.NONE,
                TimestampType.CREATE_TIME,
                batch.baseOffset(),
                RecordBatch.NO_TIMESTAMP,
                batch.epoch());
        Stream.of(LogFixture.simple(batch.timestampMs(), batch.values().toArray(String[]::new)))
                .forEach(builder::append);
        target.put(builder.build().buffer());
    }

    private static ByteBuffer copy(LogSlice slice) throws IOException {
        return ByteBuffer.allocate(slice.sizeBytes()).put(slice.view()).flip();
    }

    private long between(long lowest, long highest) {
        return lowest + random.nextInt((int) (highest - lowest + 1));
    }
}
