package io.highwater.storage.producer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random batches, repeats, gaps, markers and restarts, against the whole history kept in lists. */
class ProducersAgainstAModelTest {
    private static final long DAY_MS = 86_400_000;
    private static final int STEPS = 3000;

    @TempDir
    Path directory;

    private final List<ProducerBatch> log = new ArrayList<>();
    private final Map<Long, Long> openTransactions = new HashMap<>();
    private final Map<Long, Long> uncommitted = new HashMap<>();
    private final Map<Long, Integer> remembered = new HashMap<>();
    private long endOffset;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void verdictsAreThoseOfTheWholeHistory(long seed) throws IOException {
        Random random = new Random(seed);
        ProducerStates states = ProducerStates.open(directory, DAY_MS);
        for (int step = 0; step < STEPS; step++) {
            int choice = random.nextInt(100);
            if (choice < 85) {
                write(states, random);
            } else if (choice < 95) {
                end(states, random);
            } else if (choice < 98) {
                commitUpTo(states, random.nextLong(endOffset + 1));
            } else {
                states = restarted(states);
            }
            assertThat(states.firstUnstableOffset()).as("step %d", step).isEqualTo(firstUnstable());
        }
    }

    static LongStream seeds() {
        long replay = Long.getLong("seed", 0);
        return replay != 0 ? LongStream.of(replay) : LongStream.rangeClosed(1, 8);
    }

    private void write(ProducerStates states, Random random) {
        long producer = random.nextInt(4);
        ProducerBatch last = last(producer);
        int count = 1 + random.nextInt(3);
        int sequence = last == null ? Integer.MAX_VALUE - 4 : next(last);
        int choice = random.nextInt(10);
        if (choice == 0) {
            sequence = random.nextInt(20);
        } else if (choice == 1) {
            sequence = 0;
        } else if (choice < 5 && last != null) {
            ProducerBatch again = recent(producer, random.nextInt(8));
            sequence = again.baseSequence();
            count = (int) (again.lastOffset() - again.baseOffset() + 1);
        }
        int epoch = last == null ? 1 : last.producerEpoch() + (random.nextInt(20) == 0 ? random.nextInt(3) - 1 : 0);
        boolean transactional = producer < 2;
        ProducerBatch batch = new ProducerBatch(
                producer,
                (short) Math.max(0, epoch),
                sequence,
                advance(sequence, count - 1),
                endOffset,
                endOffset + count - 1,
                1000,
                transactional);

        ProducerVerdict verdict = states.checkClient(batch);

        ProducerBatch duplicate = duplicateOf(batch);
        if (duplicate != null) {
            assertThat(verdict.duplicateOf())
                    .isEqualTo(new AppendedBatch(
                            duplicate.lastSequence(),
                            duplicate.lastOffset(),
                            (int) (duplicate.lastOffset() - duplicate.baseOffset()),
                            1000));
            return;
        }
        assertThat(verdict.duplicateOf()).isNull();
        assertThat(verdict.error()).isEqualTo(expected(batch, last));
        if (!verdict.isRefused()) {
            states.appended(batch);
            log.add(batch);
            remembered.merge(producer, 1, Integer::sum);
            if (last != null && last.producerEpoch() != batch.producerEpoch()) {
                remembered.put(producer, 1);
            }
            if (transactional) {
                openTransactions.putIfAbsent(producer, batch.baseOffset());
            }
            advanceTo(states, batch.lastOffset() + 1);
        }
    }

    private void end(ProducerStates states, Random random) {
        long producer = random.nextInt(2);
        ProducerBatch last = last(producer);
        if (last == null) {
            return;
        }
        TransactionMarker marker =
                new TransactionMarker(producer, last.producerEpoch(), 1, random.nextBoolean(), endOffset, 1000);

        CompletedTransaction completed = states.ended(marker);

        Long firstOffset = openTransactions.remove(producer);
        assertThat(completed == null).isEqualTo(firstOffset == null);
        if (completed != null) {
            assertThat(completed.firstOffset()).isEqualTo(firstOffset);
            assertThat(completed.lastOffset()).isEqualTo(endOffset);
            assertThat(completed.lastStableOffset())
                    .isEqualTo(openTransactions.values().stream()
                            .mapToLong(Long::longValue)
                            .min()
                            .orElse(endOffset + 1));
            uncommitted.put(completed.firstOffset(), endOffset);
        }
        advanceTo(states, endOffset + 1);
    }

    private void commitUpTo(ProducerStates states, long highWatermark) {
        states.onHighWatermark(highWatermark);
        uncommitted.values().removeIf(marker -> marker < highWatermark);
    }

    /** Only the last batch of each producer, and no uncommitted end, is in a snapshot. */
    private ProducerStates restarted(ProducerStates states) throws IOException {
        states.takeSnapshot(false);
        ProducerStates again = ProducerStates.open(directory, DAY_MS);
        again.reload(0, endOffset, 1000);
        assertThat(again.endOffset()).isEqualTo(endOffset);
        assertThat(again.producers()).containsExactlyInAnyOrderElementsOf(states.producers());
        remembered.replaceAll((producer, count) -> Math.min(count, 1));
        uncommitted.clear();
        return again;
    }

    private void advanceTo(ProducerStates states, long offset) {
        endOffset = offset;
        states.advanceEndOffset(offset);
    }

    private @Nullable ProducerBatch duplicateOf(ProducerBatch batch) {
        List<ProducerBatch> own = log.stream()
                .filter(old -> old.producerId() == batch.producerId())
                .toList();
        int window = Math.min(5, remembered.getOrDefault(batch.producerId(), 0));
        return own.subList(own.size() - Math.min(window, own.size()), own.size()).stream()
                .filter(old -> old.producerEpoch() == batch.producerEpoch()
                        && old.baseSequence() == batch.baseSequence()
                        && old.lastSequence() == batch.lastSequence())
                .findFirst()
                .orElse(null);
    }

    private Errors expected(ProducerBatch batch, @Nullable ProducerBatch last) {
        if (last == null) {
            return endOffset == 0 && batch.baseSequence() != 0 ? Errors.OUT_OF_ORDER_SEQUENCE_NUMBER : Errors.NONE;
        }
        if (batch.producerEpoch() < last.producerEpoch()) {
            return Errors.INVALID_PRODUCER_EPOCH;
        }
        int next = batch.producerEpoch() == last.producerEpoch() ? next(last) : 0;
        return batch.baseSequence() == next ? Errors.NONE : Errors.OUT_OF_ORDER_SEQUENCE_NUMBER;
    }

    /** One of the producer's batches, so many before its last. */
    private ProducerBatch recent(long producer, int back) {
        List<ProducerBatch> own =
                log.stream().filter(old -> old.producerId() == producer).toList();
        return own.get(Math.max(0, own.size() - 1 - back));
    }

    private long firstUnstable() {
        return LongStream.concat(
                        openTransactions.values().stream().mapToLong(Long::longValue),
                        uncommitted.keySet().stream().mapToLong(Long::longValue))
                .min()
                .orElse(ProducerStates.ALL_STABLE);
    }

    private @Nullable ProducerBatch last(long producer) {
        ProducerBatch last = null;
        for (ProducerBatch batch : log) {
            if (batch.producerId() == producer) {
                last = batch;
            }
        }
        return last;
    }

    private static int next(ProducerBatch last) {
        return advance(last.lastSequence(), 1);
    }

    private static int advance(int sequence, int by) {
        return (int) (((long) sequence + by) % (1L << 31));
    }
}
