package io.highwater.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.replication.FetchPosition;
import io.highwater.replication.LeaderAnswer;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionFollowingTest {
    private static final int LEADER = 2;

    @TempDir
    Path directory;

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
    void theLeadersLogStartIsTakenOver() {
        Partition partition = follower(Map.of());

        bring(partition, records(1, "a", "b", "c"), 3, 2);

        assertThat(partition.logStartOffset()).isEqualTo(2);
        assertThat(partition.highWatermark()).isEqualTo(3);
    }

    @Test
    void aReaderOfAFollowerIsToldWhenMoreIsCommitted() {
        Partition partition = follower(Map.of());
        bring(partition, records(1, "a"), 0, 0);
        var seen = new long[] {-1};
        partition.addHighWatermarkListener((which, highWatermark) -> seen[0] = highWatermark);

        bring(partition, MemoryRecords.EMPTY, 1, 0);

        assertThat(seen[0]).isEqualTo(1);
    }

    @Test
    void aLogWithoutEpochsKeepsOnlyWhatIsCommitted() {
        Partition partition = follower(Map.of());
        bring(partition, oldRecords("a"), 1, 0);
        bring(partition, oldRecords(1, "b"), 1, 0);
        assertThat(partition.logEndOffset()).isEqualTo(2);

        Followed outcome = partition.following().onReign().await();

        assertThat(outcome).isEqualTo(Followed.GO_ON);
        assertThat(partition.logEndOffset()).isEqualTo(1);
    }

    @Test
    void whatMustBeFlushedIsFlushedBeforeTheNextFetch() {
        Partition partition = follower(Map.of("flush.messages", "1"));

        Future<Followed> outcome = bring(partition, records(1, "a"), 0, 0);

        assertThat(outcome.await()).isEqualTo(Followed.GO_ON);
        assertThat(partition.log().recoveryPoint()).isEqualTo(1);
    }

    @Test
    void takesNoRecordsWhileTheRoomThatIsLeftIsTheMetadatas() {
        Partition partition = follower(Map.of());
        room.diskIsFull = true;
        Followed refused = bring(partition, records(1, "a"), 1, 0).result();
        long endMeanwhile = partition.logEndOffset();
        room.diskIsFull = false;

        Followed taken = bring(partition, records(1, "a"), 1, 0).result();

        assertThat(refused).isEqualTo(Followed.BACK_OFF);
        assertThat(endMeanwhile).isZero();
        assertThat(taken).isEqualTo(Followed.GO_ON);
        assertThat(partition.highWatermark()).isEqualTo(1);
    }

    @Test
    void aDamagedBatchIsNotTakenNorIsAnythingBeforeIt() {
        Partition partition = follower(Map.of());
        ByteBuffer sound = records(1, "a").buffer();
        ByteBuffer damaged = ByteBuffer.allocate(200).put(sound);
        damaged.put(records(1, 1, "b").buffer()).flip();
        damaged.put(damaged.limit() - 1, (byte) 99);

        Followed refused =
                bring(partition, MemoryRecords.readableRecords(damaged), 2, 0).result();

        assertThat(refused).isEqualTo(Followed.BACK_OFF);
        assertThat(partition.logEndOffset()).isZero();
        assertThat(partition.highWatermark()).isZero();
        assertThat(bring(partition, records(1, "a"), 1, 0).result()).isEqualTo(Followed.GO_ON);
    }

    @Test
    void anAnswerToAnOlderQuestionChangesNothing() {
        Partition partition = follower(Map.of());
        FetchPosition asked = Objects.requireNonNull(partition.following().next());
        bring(partition, records(1, "a"), 0, 0);

        Future<Followed> outcome =
                partition.following().onAnswer(asked, new LeaderAnswer(null, 1, 0, null), records(1, "x"));

        assertThat(outcome.result()).isEqualTo(Followed.IGNORED);
        assertThat(partition.logEndOffset()).isEqualTo(1);
        assertThat(partition.highWatermark()).isZero();
    }

    @Test
    void whoLeadsOrHasNoLeaderHasNothingToAsk() {
        Partition partition = room.alone();

        assertThat(partition.following().next()).isNull();
        partition.follow(-1, 1, 1);
        assertThat(partition.following().next()).isNull();
    }

    @Test
    void howFarItWasBehindOneLeaderSaysNothingOfTheNext() {
        Partition partition = follower(Map.of());
        bring(partition, records(1, "a"), 5, 0);
        assertThat(partition.sample().behindRecords()).isEqualTo(4);

        partition.follow(3, 2, 2);
        partition.following().onReign().await();

        assertThat(partition.sample().behindRecords()).isEqualTo(-1);
    }

    private Partition follower(Map<String, String> settings) {
        Partition partition = room.partition(0, settings);
        partition.follow(LEADER, 1, 1);
        return partition;
    }

    private static Future<Followed> bring(
            Partition partition, MemoryRecords records, long highWatermark, long logStartOffset) {
        FetchPosition asked = Objects.requireNonNull(partition.following().next());
        return partition
                .following()
                .onAnswer(asked, new LeaderAnswer(null, highWatermark, logStartOffset, null), records);
    }

    private static MemoryRecords records(int epoch, String... values) {
        return records(0, epoch, values);
    }

    private static MemoryRecords records(long offset, int epoch, String... values) {
        return copy(MemoryRecords.withRecords(offset, Compression.NONE, epoch, simple(values)));
    }

    private static MemoryRecords oldRecords(String value) {
        return oldRecords(0, value);
    }

    /** From a time without leader epochs. */
    private static MemoryRecords oldRecords(long offset, String value) {
        return copy(MemoryRecords.withRecords(
                offset, Compression.NONE, RecordBatch.NO_PARTITION_LEADER_EPOCH, simple(value)));
    }

    private static SimpleRecord[] simple(String... values) {
        return Arrays.stream(values)
                .map(value -> new SimpleRecord(value.getBytes(StandardCharsets.UTF_8)))
                .toArray(SimpleRecord[]::new);
    }

    private static MemoryRecords copy(MemoryRecords made) {
        ByteBuffer copy =
                ByteBuffer.allocate(made.sizeInBytes()).put(made.buffer()).flip();
        return MemoryRecords.readableRecords(copy);
    }
}
