package io.highwater.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.replication.Leadership;
import io.highwater.storage.log.AppendOrigin;
import io.highwater.storage.log.BatchValidator;
import io.highwater.storage.log.LogSettings;
import io.highwater.storage.log.ValidatedRecords;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DelayedFetchTest {
    @TempDir
    Path directory;

    private final AtomicInteger ready = new AtomicInteger();
    private PartitionRoom room;

    @BeforeEach
    void open() {
        room = new PartitionRoom(directory);
    }

    @AfterEach
    void close() {
        room.close();
    }

    @Test
    void wakesWhenThePartitionHasMore() {
        Partition partition = room.alone();
        park(partition, 0, Isolation.HIGH_WATERMARK, 1);
        assertThat(ready).hasValue(0);

        produce(partition);

        assertThat(ready).hasValue(1);
        assertThat(partition.delayedFetches().size()).isZero();
        assertThat(room.clock.pending()).isZero();
    }

    @Test
    void wakesOnceWhenItsTimeIsOver() {
        Partition partition = room.alone();
        park(partition, 0, Isolation.HIGH_WATERMARK, 1);

        room.clock.advance(500);
        produce(partition);

        assertThat(ready).hasValue(1);
        assertThat(partition.delayedFetches().size()).isZero();
    }

    @Test
    void comesBackAtOnceIfThereIsEnoughByNow() {
        Partition partition = room.alone();
        produce(partition);

        park(partition, 0, Isolation.HIGH_WATERMARK, 1);

        assertThat(ready).hasValue(1);
        assertThat(partition.delayedFetches().size()).isZero();
    }

    @Test
    void aConsumerWaitsForTheCommitAReplicaForTheAppend() {
        Partition partition = room.withFollower(Map.of());
        park(partition, 0, Isolation.HIGH_WATERMARK, 1);
        produce(partition);
        assertThat(ready).hasValue(0);

        park(partition, 0, Isolation.LOG_END, 1);
        assertThat(ready).hasValue(1);
        partition.fetch(PartitionRoom.replica(2, 1)).slice().release();

        assertThat(ready).hasValue(2);
    }

    @Test
    void aFollowerIsSoonToldOfAHighWatermarkItDoesNotKnow() {
        Partition partition = room.withFollower(Map.of());
        produce(partition);
        DelayedFetch fetch = new DelayedFetch(1, 1, room.clock, expired -> ready.incrementAndGet());
        fetch.watch(partition, 1, Isolation.LOG_END, 1 << 20, 0);
        fetch.park(500);

        partition.fetch(PartitionRoom.replica(2, 1)).slice().release();
        assertThat(ready).as("records could still come along").hasValue(0);
        room.clock.advance(5);

        assertThat(ready).hasValue(1);
    }

    @Test
    void addsUpTheBytesOfAllPartitions() {
        Partition one = room.alone();
        Partition other = room.partition(1, Map.of());
        other.lead(new Leadership(0, 0, List.of(1), List.of(1)));
        int batchBytes = Batches.of(room.clock.wallMs(), "a").sizeInBytes();
        DelayedFetch fetch = new DelayedFetch(2, 2 * batchBytes, room.clock, expired -> ready.incrementAndGet());
        fetch.watch(one, 0, Isolation.HIGH_WATERMARK, 1 << 20);
        fetch.watch(other, 0, Isolation.HIGH_WATERMARK, 1 << 20);
        fetch.park(500);

        produce(one);
        assertThat(ready).hasValue(0);
        produce(other);

        assertThat(ready).hasValue(1);
        assertThat(one.delayedFetches().size() + other.delayedFetches().size()).isZero();
    }

    /** Records that nobody has told them of lie in the first partition, so that whoever looks there would come back. */
    @Test
    void onlyThoseWhoWaitForAPartitionLookWhatItHas() {
        Partition busy = room.partition(1, Map.of());
        busy.lead(new Leadership(0, 0, List.of(1), List.of(1)));
        Partition quiet = room.alone();
        int waiting = 10_000;
        for (int i = 0; i < waiting; i++) {
            park(quiet, 0, Isolation.LOG_END, 1);
        }
        appendUnnoticed(quiet);

        produce(busy);
        assertThat(ready).hasValue(0);

        quiet.delayedFetches().onProgress();
        assertThat(ready).hasValue(waiting);
    }

    @Test
    void wakesWhenTheLeaderIsNoMore() {
        Partition partition = room.alone();
        park(partition, 0, Isolation.HIGH_WATERMARK, 1);

        partition.follow(2, 1, 1);

        assertThat(ready).hasValue(1);
    }

    @Test
    void wakesWhenThePartitionIsGone() {
        Partition partition = room.alone();
        park(partition, 0, Isolation.HIGH_WATERMARK, 1);

        partition.stop(Errors.UNKNOWN_TOPIC_OR_PARTITION);

        assertThat(ready).hasValue(1);
    }

    @Test
    void noAppendSlipsInBetweenReadingAndParking() throws Exception {
        Partition partition = room.alone();
        int rounds = 2_000;
        Thread producer = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                produce(partition);
                while (ready.get() <= i) {
                    Thread.onSpinWait();
                }
            }
        });
        producer.start();
        for (int i = 0; i < rounds; i++) {
            CountDownLatch woken = new CountDownLatch(1);
            DelayedFetch fetch = new DelayedFetch(1, 1, room.clock, expired -> woken.countDown());
            fetch.watch(partition, i, Isolation.HIGH_WATERMARK, 1 << 20);
            fetch.park(500);

            assertThat(woken.await(10, TimeUnit.SECONDS)).as("round " + i).isTrue();
            ready.incrementAndGet();
        }
        producer.join();
        assertThat(room.clock.pending()).isZero();
    }

    private void park(Partition partition, long offset, Isolation isolation, int minBytes) {
        DelayedFetch fetch = new DelayedFetch(1, minBytes, room.clock, expired -> ready.incrementAndGet());
        fetch.watch(partition, offset, isolation, 1 << 20);
        fetch.park(500);
    }

    private void appendUnnoticed(Partition partition) {
        ValidatedRecords records = new BatchValidator()
                .validate(
                        Batches.of(room.clock.wallMs(), "a"),
                        LogSettings.of(Map.of()),
                        AppendOrigin.CLIENT,
                        room.clock.wallMs());
        assertThat(partition
                        .log()
                        .append(records, AppendOrigin.CLIENT, 0, room.clock.wallMs())
                        .error())
                .isEqualTo(Errors.NONE);
    }

    private void produce(Partition partition) {
        assertThat(partition
                        .produce(Batches.of(room.clock.wallMs(), "a"), (short) 1, 1_000)
                        .result()
                        .error())
                .isEqualTo(Errors.NONE);
    }
}
