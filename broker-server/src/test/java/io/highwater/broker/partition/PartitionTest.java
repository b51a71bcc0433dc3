package io.highwater.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.controlplane.InSyncReplicasAnswer;
import io.highwater.replication.InSyncReplicasProposal.Cause;
import io.highwater.replication.Leadership;
import io.highwater.replication.Membership;
import io.highwater.replication.ReplicaSettings;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionTest {
    private static final short ALL = -1;

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
        assertThat(room.clock.pending()).as("deadlines left behind").isZero();
    }

    @Test
    void whatWasProducedCanBeReadBack() {
        Partition partition = room.alone();

        AppendOutcome first = produce(partition, ALL, "a", "b").result();
        AppendOutcome second = produce(partition, ALL, "c").result();

        assertThat(first.error()).isEqualTo(Errors.NONE);
        assertThat(first.baseOffset()).isZero();
        assertThat(second.baseOffset()).isEqualTo(2);
        assertThat(second.nextOffset()).isEqualTo(3);
        assertThat(partition.highWatermark()).isEqualTo(3);
        assertThat(room.read(partition, 0)).containsExactly("a", "b", "c");
    }

    @Test
    void aReplicaWithoutARoleTakesNothing() {
        Partition partition = room.partition(0, Map.of());

        assertThat(produce(partition, ALL, "a").result().error()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(partition.logEndOffset()).isZero();
    }

    @Test
    void acksAllIsAnsweredWhenTheFollowerHasIt() {
        Partition partition = room.withFollower(Map.of());

        Future<AppendOutcome> answer = produce(partition, ALL, "a");
        assertThat(answer.isComplete()).isFalse();
        assertThat(room.read(partition, 0)).isEmpty();
        follow(partition, 1);

        assertThat(answer.result().error()).isEqualTo(Errors.NONE);
        assertThat(answer.result().baseOffset()).isZero();
        assertThat(room.read(partition, 0)).containsExactly("a");
    }

    @Test
    void takesNoRecordsWhileTheRoomThatIsLeftIsTheMetadatas() {
        Partition partition = room.partition(0, Map.of());
        partition.lead(new Leadership(0, 0, List.of(1), List.of(1)));
        room.diskIsFull = true;
        AppendOutcome refused = produce(partition, ALL, "a").result();
        room.diskIsFull = false;

        AppendOutcome taken = produce(partition, ALL, "b").result();

        assertThat(refused.error()).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
        assertThat(taken.error()).isEqualTo(Errors.NONE);
        assertThat(partition.logEndOffset()).isEqualTo(1);
    }

    @Test
    void aBugInTheMiddleOfAnAppendIsReportedWithoutTheLock() {
        AtomicBoolean faulty = new AtomicBoolean();
        Partition partition = room.partition(0, Map.of(), new Clock() {
            @Override
            public long wallMs() {
                return room.clock.wallMs();
            }

            @Override
            public long monotonicMs() {
                if (faulty.compareAndSet(true, false)) {
                    throw new IllegalStateException("a bug");
                }
                return room.clock.monotonicMs();
            }
        });
        partition.lead(new Leadership(0, 0, List.of(1), List.of(1)));
        faulty.set(true);

        AppendOutcome outcome = produce(partition, ALL, "a").result();

        assertThat(outcome.error()).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
        assertThat(room.failures).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(partition.isGone()).isTrue();
    }

    @Test
    void olderNewsOfLeadingIsIgnored() {
        Partition partition = room.alone();
        partition.follow(2, 5, 5);

        partition.lead(new Leadership(3, 3, List.of(1, 2), List.of(1, 2)));

        assertThat(partition.role()).isEqualTo(new RoleView(false, 2, 5, 0));
        assertThat(partition.log().latestEpoch()).isZero();
    }

    @Test
    void whatAFollowerReadInAnEarlierReignCommitsNothing() {
        Partition written = room.alone();
        produce(written, ALL, "a", "b");
        PartitionRole role =
                new PartitionRole(1, written.log(), Membership.EVERYBODY, new ReplicaSettings(1, 30_000), 0);
        role.lead(new Leadership(7, 0, List.of(1, 2), List.of(1, 2)), 0);
        FetchSpec.Follower follower = new FetchSpec.Follower(2, -1, 0, false);

        role.onFollowerFetch(follower, 2, 6, 0);
        long afterOldNews = role.highWatermark();
        role.onFollowerFetch(follower, 2, 7, 0);

        assertThat(afterOldNews).isZero();
        assertThat(role.highWatermark()).isEqualTo(2);
    }

    @Test
    void aReadThatFailsHalfWayHoldsNothing() throws IOException {
        Path segment = directory.resolve("orders-0/00000000000000000000.log");
        Path aborted = directory.resolve("orders-0/00000000000000000000.txnindex");
        byte[] entry = new byte[34];
        Partition written = room.alone();
        produce(written, ALL, "a");
        long firstBytes = Files.size(segment);
        produce(written, ALL, "b");
        written.close();
        Files.write(aborted, entry);
        Partition partition = room.partition(0, Map.of());
        partition.lead(new Leadership(1, 1, List.of(1), List.of(1)));
        Files.write(aborted, new byte[0]);

        FetchOutcome outcome = partition.fetch(PartitionRoom.consumer(0, 1_000, Isolation.LAST_STABLE_OFFSET));
        Files.write(aborted, entry);
        partition.log().truncateTo(1, room.clock.wallMs());

        assertThat(outcome.error()).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
        assertThat(Files.size(segment)).as("cut, since nobody reads").isEqualTo(firstBytes);
    }

    @Test
    void acksOneIsAnsweredAtOnce() {
        Partition partition = room.withFollower(Map.of());

        assertThat(produce(partition, (short) 1, "a").result().error()).isEqualTo(Errors.NONE);
    }

    @Test
    void acksAllGivesUpWhenItsTimeIsOverButTheRecordsStay() {
        Partition partition = room.withFollower(Map.of());
        Future<AppendOutcome> answer = produce(partition, ALL, "a");

        room.clock.advance(1_000);

        assertThat(answer.result().error()).isEqualTo(Errors.REQUEST_TIMED_OUT);
        assertThat(partition.logEndOffset()).isEqualTo(1);
    }

    @Test
    void whoWaitsForFollowersLearnsThatTheLeaderIsNoMore() {
        Partition partition = room.withFollower(Map.of());
        Future<AppendOutcome> answer = produce(partition, ALL, "a");

        partition.follow(2, 1, 1);

        assertThat(answer.result().error()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
    }

    @Test
    void belowMinInSyncAcksAllWritesNothing() {
        Partition partition = room.partition(0, Map.of("min.insync.replicas", "2"));
        partition.lead(new Leadership(0, 0, List.of(1, 2), List.of(1)));

        assertThat(produce(partition, ALL, "a").result().error()).isEqualTo(Errors.NOT_ENOUGH_REPLICAS);
        assertThat(partition.logEndOffset()).isZero();
        assertThat(produce(partition, (short) 1, "a").result().error()).isEqualTo(Errors.NONE);
    }

    @Test
    void anInSyncSetThatShrinksBelowTheMinimumCommitsNothing() {
        Partition partition = room.partition(0, Map.of("min.insync.replicas", "2"));
        partition.lead(new Leadership(0, 0, List.of(1, 2, 3), List.of(1, 2, 3)));
        Future<AppendOutcome> answer = produce(partition, ALL, "a");
        room.clock.advance(900);
        partition.lead(new Leadership(0, 1, List.of(1, 2, 3), List.of(1)));

        assertThat(answer.isComplete()).isFalse();
        room.clock.advance(100);
        assertThat(answer.result().error()).isEqualTo(Errors.REQUEST_TIMED_OUT);
    }

    @Test
    void aRepeatedBatchIsAnsweredWithItsFirstOffsets() {
        Partition partition = room.alone();
        produce(partition, ALL, "x");
        MemoryRecords batch = Batches.idempotent(room.clock.wallMs(), 7, 0, 0, "a", "b");
        partition.produce(Batches.idempotent(room.clock.wallMs(), 7, 0, 0, "a", "b"), ALL, 1_000);

        AppendOutcome again = partition.produce(batch, ALL, 1_000).result();

        assertThat(again.error()).isEqualTo(Errors.NONE);
        assertThat(again.baseOffset()).isEqualTo(1);
        assertThat(room.read(partition, 0)).containsExactly("x", "a", "b");
    }

    @Test
    void aGapInTheSequenceIsRefused() {
        Partition partition = room.alone();
        partition.produce(Batches.idempotent(room.clock.wallMs(), 7, 0, 0, "a"), ALL, 1_000);

        AppendOutcome gap = partition
                .produce(Batches.idempotent(room.clock.wallMs(), 7, 0, 2, "c"), ALL, 1_000)
                .result();
        AppendOutcome old = partition
                .produce(Batches.idempotent(room.clock.wallMs(), 7, 1, 0, "b"), ALL, 1_000)
                .compose(ok -> partition.produce(Batches.idempotent(room.clock.wallMs(), 7, 0, 1, "b"), ALL, 1_000))
                .result();

        assertThat(gap.error()).isEqualTo(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(old.error()).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
    }

    @Test
    void aBadRecordIsNamed() {
        Partition partition = room.alone();

        AppendOutcome outcome = partition
                .produce(Batches.of(room.clock.wallMs() + 7_200_000, "a"), ALL, 1_000)
                .result();

        assertThat(outcome.error()).isEqualTo(Errors.INVALID_TIMESTAMP);
        assertThat(outcome.recordErrors())
                .extracting(AppendOutcome.BadRecord::batchIndex)
                .containsExactly(0);
        assertThat(outcome.errorMessage()).isNotEmpty();
    }

    @Test
    void aFollowerInAnotherEpochIsTurnedAway() {
        Partition partition = room.partition(0, Map.of());
        partition.lead(new Leadership(5, 0, List.of(1, 2), List.of(1, 2)));

        assertThat(fetch(partition, 0, 4).error()).isEqualTo(Errors.FENCED_LEADER_EPOCH);
        assertThat(fetch(partition, 0, 6).error()).isEqualTo(Errors.UNKNOWN_LEADER_EPOCH);
        assertThat(fetch(partition, 0, 5).error()).isEqualTo(Errors.NONE);
    }

    @Test
    void aStrangerIsNoFollower() {
        Partition partition = room.withFollower(Map.of());

        assertThat(partition.fetch(PartitionRoom.replica(9, 0)).error()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(partition.fetch(PartitionRoom.replica(9, 0, 0)).error()).isEqualTo(Errors.UNKNOWN_LEADER_EPOCH);
    }

    @Test
    void aFollowerThatAsksAFollowerIsToldOfItsEpochFirst() {
        Partition partition = room.partition(0, Map.of());
        partition.follow(2, 5, 0);

        assertThat(partition.fetch(PartitionRoom.replica(3, 0, 4)).error()).isEqualTo(Errors.FENCED_LEADER_EPOCH);
        assertThat(partition.fetch(PartitionRoom.replica(3, 0, 6)).error()).isEqualTo(Errors.UNKNOWN_LEADER_EPOCH);
        assertThat(partition.fetch(PartitionRoom.replica(3, 0, 5)).error()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
    }

    @Test
    void anOffsetOutsideTheLogIsOutOfRange() {
        Partition partition = room.alone();
        produce(partition, ALL, "a", "b");

        assertThat(fetch(partition, 3, -1).error()).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
        assertThat(fetch(partition, 2, -1).error()).isEqualTo(Errors.NONE);
    }

    @Test
    void readersBehindTheHighWatermarkWaitWithoutAnError() {
        Partition partition = room.withFollower(Map.of());
        produce(partition, (short) 1, "a", "b");

        FetchOutcome outcome = fetch(partition, 1, -1);

        assertThat(outcome.error()).isEqualTo(Errors.NONE);
        assertThat(outcome.slice().isEmpty()).isTrue();
        assertThat(outcome.highWatermark()).isZero();
    }

    @Test
    void aReaderThatWentAstrayIsToldWhere() {
        Partition partition = room.alone();
        produce(partition, ALL, "a", "b");
        partition.lead(new Leadership(3, 1, List.of(1), List.of(1)));
        produce(partition, ALL, "c");

        FetchOutcome outcome =
                partition.fetch(new FetchSpec(3, 1 << 20, true, -1, 2, Isolation.HIGH_WATERMARK, true, null));

        assertThat(outcome.error()).isEqualTo(Errors.NONE);
        assertThat(outcome.diverging()).isEqualTo(new io.highwater.replication.EpochEnd(0, 2));
        assertThat(outcome.slice().isEmpty()).isTrue();
    }

    @Test
    void epochsEndWhereTheNextBegins() {
        Partition partition = room.alone();
        produce(partition, ALL, "a", "b");
        partition.lead(new Leadership(3, 1, List.of(1), List.of(1)));
        produce(partition, ALL, "c");

        assertThat(partition.endOffsetForEpoch(-1, 0)).isEqualTo(new OffsetOutcome(Errors.NONE, 2, -1, 0));
        assertThat(partition.endOffsetForEpoch(-1, 3)).isEqualTo(new OffsetOutcome(Errors.NONE, 3, -1, 3));
        assertThat(partition.endOffsetForEpoch(-1, 4)).isEqualTo(new OffsetOutcome(Errors.NONE, -1, -1, -1));
    }

    @Test
    void openTransactionsHoldBackTheStableReader() {
        Partition partition = room.alone();
        produce(partition, ALL, "a");
        partition.appendAsCoordinator(Batches.transactional(room.clock.wallMs(), 9, 0, "t"), partition.leaderEpoch());
        produce(partition, ALL, "b");

        assertThat(partition.lastStableOffset()).isEqualTo(1);
        FetchOutcome stable = partition.fetch(PartitionRoom.consumer(0, 1 << 20, Isolation.LAST_STABLE_OFFSET));
        assertThat(stable.aborted()).isEmpty();
        assertThat(stable.lastStableOffset()).isEqualTo(1);
        stable.slice().release();
        assertThat(room.read(partition, 0)).containsExactly("a", "t", "b");
    }

    @Test
    void deletedRecordsAreOutOfRange() {
        Partition partition = room.alone();
        produce(partition, ALL, "a", "b", "c");

        DeleteRecordsOutcome outcome = partition.deleteRecords(2, 1_000).result();

        assertThat(outcome).isEqualTo(new DeleteRecordsOutcome(Errors.NONE, 2));
        assertThat(fetch(partition, 1, -1).error()).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
        assertThat(partition.logStartOffset()).isEqualTo(2);
    }

    @Test
    void deletingToTheHighWatermarkEmptiesTheLog() {
        Partition partition = room.alone();
        produce(partition, ALL, "a", "b", "c");

        assertThat(partition.deleteRecords(-1, 1_000).result().lowWatermark()).isEqualTo(3);
        assertThat(partition.offsetFor(-2, -1, Isolation.HIGH_WATERMARK, true).offset())
                .isEqualTo(3);
    }

    @Test
    void onlyCommittedRecordsCanBeDeleted() {
        Partition partition = room.withFollower(Map.of());
        produce(partition, (short) 1, "a", "b");

        assertThat(partition.deleteRecords(1, 1_000).result().error()).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
        assertThat(partition.deleteRecords(-2, 1_000).result().error()).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
    }

    @Test
    void deletionWaitsForTheFollower() {
        Partition partition = room.withFollower(Map.of());
        produce(partition, (short) 1, "a", "b");
        follow(partition, 2);

        Future<DeleteRecordsOutcome> answer = partition.deleteRecords(1, 1_000);
        assertThat(answer.isComplete()).isFalse();
        partition.fetch(
                new FetchSpec(2, 1024, true, -1, -1, Isolation.LOG_END, true, new FetchSpec.Follower(2, -1, 1, false)));

        assertThat(answer.result()).isEqualTo(new DeleteRecordsOutcome(Errors.NONE, 1));
    }

    @Test
    void compactedTopicsDeleteNothingByOffset() {
        Partition partition = room.partition(0, Map.of("cleanup.policy", "compact"));
        partition.lead(new Leadership(0, 0, List.of(1), List.of(1)));

        assertThat(partition.deleteRecords(0, 1_000).result().error()).isEqualTo(Errors.POLICY_VIOLATION);
    }

    @Test
    void offsetsAreFoundByTimestamp() {
        Partition partition = room.alone();
        long base = room.clock.wallMs() - 1_000;
        partition.produce(Batches.of(base, "a"), ALL, 1_000);
        partition.produce(Batches.of(base + 300, "b"), ALL, 1_000);
        partition.produce(Batches.of(base + 200, "c"), ALL, 1_000);

        assertThat(offset(partition, base + 100)).isEqualTo(1);
        assertThat(offset(partition, base + 301)).isEqualTo(-1);
        assertThat(offset(partition, -1)).isEqualTo(3);
        assertThat(offset(partition, -2)).isZero();
        assertThat(offset(partition, -3)).isEqualTo(1);
    }

    @Test
    void aNewLeaderDoesNotGuessTheLatestOffset() {
        Partition partition = room.partition(0, Map.of());
        partition.lead(new Leadership(0, 0, List.of(1, 2), List.of(1, 2)));
        produce(partition, (short) 1, "a");
        partition.lead(new Leadership(1, 1, List.of(1, 2), List.of(1, 2)));

        assertThat(partition.offsetFor(-1, -1, Isolation.HIGH_WATERMARK, true).error())
                .isEqualTo(Errors.OFFSET_NOT_AVAILABLE);
        assertThat(partition.offsetFor(-1, -1, Isolation.LOG_END, true).offset())
                .isEqualTo(1);
        follow(partition, 1);
        assertThat(partition.offsetFor(-1, -1, Isolation.HIGH_WATERMARK, true).offset())
                .isEqualTo(1);
    }

    @Test
    void commitsAreToldAfterwardsAndOnlyWhileSomebodyListens() {
        Partition partition = room.withFollower(Map.of());
        List<Long> heard = new ArrayList<>();
        HighWatermarkListener listener = (of, highWatermark) -> heard.add(highWatermark);
        partition.addHighWatermarkListener(listener);

        produce(partition, (short) 1, "a", "b");
        assertThat(heard).isEmpty();
        follow(partition, 2);
        partition.removeHighWatermarkListener(listener);
        produce(partition, (short) 1, "c");
        follow(partition, 3);

        assertThat(heard).containsExactly(2L);
    }

    @Test
    void aCoordinatorReadsItsRecordsBack() {
        Partition partition = room.withFollower(Map.of());
        partition.appendAsCoordinator(Batches.of(room.clock.wallMs(), "a", "b"), partition.leaderEpoch());

        MemoryRecords loaded = partition.readToLoad(0, 1);

        assertThat(Batches.values(loaded.buffer())).containsExactly("a", "b");
        assertThat(partition.readToLoad(2, 1024).sizeInBytes()).isZero();
        assertThatThrownBy(() -> partition.readToLoad(3, 1024)).isInstanceOf(OffsetOutOfRangeException.class);
        partition.follow(2, 1, 1);
        assertThatThrownBy(() -> partition.readToLoad(0, 1024)).isInstanceOf(NotLeaderOrFollowerException.class);
    }

    @Test
    void belowMinInSyncACoordinatorWritesNothing() {
        Partition partition = room.partition(0, Map.of("min.insync.replicas", "2"));
        partition.lead(new Leadership(0, 0, List.of(1, 2), List.of(1)));

        AppendOutcome outcome = partition.appendAsCoordinator(Batches.of(room.clock.wallMs(), "a"), 0);

        assertThat(outcome.error()).isEqualTo(Errors.NOT_ENOUGH_REPLICAS);
        assertThat(partition.logEndOffset()).isZero();
    }

    @Test
    void whatACoordinatorDecidedInAnotherReignIsNotWritten() {
        Partition partition = room.withFollower(Map.of());
        int decidedIn = partition.leaderEpoch();
        partition.follow(2, decidedIn + 1, 1);
        partition.lead(new Leadership(decidedIn + 2, 2, List.of(1, 2), List.of(1, 2)));

        AppendOutcome outcome = partition.appendAsCoordinator(Batches.of(room.clock.wallMs(), "a"), decidedIn);

        assertThat(outcome.error()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(partition.logEndOffset()).isZero();
    }

    @Test
    void aCoordinatorsWriteIsFlushedWhereTheTopicWantsIt() {
        Partition partition = room.partition(0, Map.of("flush.messages", "1"));
        partition.lead(new Leadership(0, 0, List.of(1), List.of(1)));

        AppendOutcome outcome = partition.appendAsCoordinator(Batches.of(room.clock.wallMs(), "a"), 0);

        assertThat(outcome.error()).isEqualTo(Errors.NONE);
        assertThat(outcome.nextOffset()).isEqualTo(1);
    }

    @Test
    void aLaggardIsProposedAwayAndThenNotWaitedFor() {
        Partition partition = room.withFollower(Map.of());
        Future<AppendOutcome> answer = partition.produce(Batches.of(room.clock.wallMs(), "a"), ALL, 100_000);
        room.clock.advance(PartitionRoom.MAX_LAG_MS + 1);

        partition.onTick();
        assertThat(room.proposals).hasSize(1);
        assertThat(answer.isComplete()).isFalse();
        room.answers.get(0).complete(new InSyncReplicasAnswer(Errors.NONE, 1, 0, 1, List.of(1), false));

        assertThat(answer.result().error()).isEqualTo(Errors.NONE);
        assertThat(partition.inSyncReplicas()).containsExactly(1);
    }

    @Test
    void whoHearsOfItIsToldTheMinimumThatHoldsForSoManyReplicas() {
        Partition partition = room.withFollower(Map.of("min.insync.replicas", "3"));
        room.clock.advance(PartitionRoom.MAX_LAG_MS + 1);
        var unused = produce(partition, (short) 1, "a");
        partition.onTick();

        room.answers.get(0).complete(new InSyncReplicasAnswer(Errors.NONE, 1, 0, 1, List.of(1), false));

        assertThat(room.toldSettings)
                .singleElement()
                .satisfies(settings -> assertThat(settings.minInSyncReplicas()).isEqualTo(2));
    }

    @Test
    void aFollowerWhoseConnectionBrokeIsProposedAwayAfterItsGrace() {
        Partition partition = withTwoFollowers();
        partition.fetch(PartitionRoom.replica(3, 0)).slice().release();

        partition.onFollowerDisconnected(3);
        room.clock.advance(PartitionRoom.GRACE_MS - 1);
        assertThat(room.proposals).isEmpty();
        room.clock.advance(1);

        assertThat(room.proposals).singleElement().satisfies(proposal -> {
            assertThat(proposal.cause()).isEqualTo(Cause.DISCONNECTED);
            assertThat(proposal.replicas()).containsExactly(3);
        });
    }

    @Test
    void aSuspectIsProposedAwayOnceAnotherIsInSync() {
        Partition partition = room.partition(0, Map.of());
        partition.lead(new Leadership(0, 0, List.of(1, 2, 3), List.of(1, 3)));
        partition.onFollowerDisconnected(3);
        room.clock.advance(PartitionRoom.GRACE_MS);
        assertThat(room.proposals).as("never to be alone").isEmpty();

        partition.lead(new Leadership(0, 1, List.of(1, 2, 3), List.of(1, 2, 3)));
        room.clock.advance(1);

        assertThat(room.proposals).hasSize(1);
    }

    @Test
    void aSuspectIsProposedAwayOnceAnotherIsBack() {
        Partition partition = withTwoFollowers();
        partition.onFollowerDisconnected(2);
        partition.onFollowerDisconnected(3);
        room.clock.advance(PartitionRoom.GRACE_MS);
        assertThat(room.proposals).as("it may be the leader that is cut off").isEmpty();

        partition.fetch(PartitionRoom.replica(2, 0)).slice().release();
        room.clock.advance(1);

        assertThat(room.proposals)
                .singleElement()
                .satisfies(proposal -> assertThat(proposal.replicas()).containsExactly(3));
    }

    @Test
    void aFollowerThatFetchesAgainWithinItsGraceStays() {
        Partition partition = withTwoFollowers();
        partition.onFollowerDisconnected(3);
        room.clock.advance(PartitionRoom.GRACE_MS - 1);

        partition.fetch(PartitionRoom.replica(3, 0)).slice().release();
        room.clock.advance(PartitionRoom.GRACE_MS);

        assertThat(room.proposals).isEmpty();
        assertThat(room.clock.pending()).as("deadlines left behind").isZero();
    }

    @Test
    void whatIsGoneSaysWhy() {
        Partition partition = room.withFollower(Map.of());
        Future<AppendOutcome> answer = produce(partition, ALL, "a");

        partition.stop(Errors.UNKNOWN_TOPIC_OR_PARTITION);

        assertThat(answer.result().error()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(produce(partition, ALL, "b").result().error()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(fetch(partition, 0, -1).error()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(partition.lookup().error()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void flushMessagesIsAnsweredFromTheDisk() {
        Partition partition = room.partition(0, Map.of("flush.messages", "1"));
        partition.lead(new Leadership(0, 0, List.of(1), List.of(1)));

        AppendOutcome outcome = produce(partition, ALL, "a").await();

        assertThat(outcome.error()).isEqualTo(Errors.NONE);
        assertThat(partition.log().recoveryPoint()).isEqualTo(1);
    }

    private Partition withTwoFollowers() {
        Partition partition = room.partition(0, Map.of());
        partition.lead(new Leadership(0, 0, List.of(1, 2, 3), List.of(1, 2, 3)));
        return partition;
    }

    private Future<AppendOutcome> produce(Partition partition, short acks, String... values) {
        return partition.produce(Batches.of(room.clock.wallMs(), values), acks, 1_000);
    }

    private static void follow(Partition partition, long offset) {
        partition.fetch(PartitionRoom.replica(2, offset)).slice().release();
    }

    private static FetchOutcome fetch(Partition partition, long offset, int epoch) {
        FetchOutcome outcome =
                partition.fetch(new FetchSpec(offset, 1 << 20, true, epoch, -1, Isolation.HIGH_WATERMARK, true, null));
        outcome.slice().release();
        return outcome;
    }

    private static long offset(Partition partition, long timestamp) {
        return partition
                .offsetFor(timestamp, -1, Isolation.HIGH_WATERMARK, true)
                .offset();
    }
}
