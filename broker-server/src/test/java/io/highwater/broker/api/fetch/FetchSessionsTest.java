package io.highwater.broker.api.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData.EpochEndOffset;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;

class FetchSessionsTest {
    private final AtomicLong nowMs = new AtomicLong();
    private final FetchSessions sessions = new FetchSessions(2, nowMs::get);

    @Test
    void aSessionCountsItsFetches() {
        FetchSession session = create(false, 1);

        assertThat(update(session, 1)).isEqualTo(Errors.NONE);
        assertThat(update(session, 1)).isEqualTo(Errors.INVALID_FETCH_SESSION_EPOCH);
        assertThat(update(session, 2)).isEqualTo(Errors.NONE);
    }

    @Test
    void namesAndIdsDoNotMix() {
        FetchSession session = create(false, 1);

        assertThat(session.update(1, true, List.of(), List.of())).isEqualTo(Errors.FETCH_SESSION_TOPIC_ID_ERROR);
    }

    @Test
    void changesAreTakenAndTheForgottenForgotten() {
        FetchSession session = create(false, 3);

        session.update(
                1,
                false,
                List.of(wanted(0, 7), wanted(9, 1)),
                List.of(new ForgottenTopic().setTopic("orders").setPartitions(List.of(1))));

        assertThat(session.wanted())
                .extracting(Wanted::index, Wanted::fetchOffset)
                .containsExactly(tuple(0, 7L), tuple(2, 0L), tuple(9, 1L));
    }

    @Test
    void onlyNewsIsTold() {
        FetchSession session = create(false, 1);

        assertThat(session.tell(wanted(0, 0), answer(5, 0, Errors.NONE))).isTrue();
        assertThat(session.tell(wanted(0, 0), answer(5, 0, Errors.NONE))).isFalse();
        assertThat(session.tell(wanted(0, 0), answer(6, 0, Errors.NONE))).isTrue();
        assertThat(session.tell(wanted(0, 0), answer(6, 1, Errors.NONE))).isTrue();
        assertThat(session.tell(wanted(1, 0), answer(6, 1, Errors.NONE)))
                .as("not in the session")
                .isFalse();
    }

    @Test
    void anErrorIsToldEveryTimeAndSoIsWhatFollows() {
        FetchSession session = create(false, 1);
        session.tell(wanted(0, 0), answer(5, 0, Errors.NONE));

        assertThat(session.tell(wanted(0, 0), answer(-1, -1, Errors.NOT_LEADER_OR_FOLLOWER)))
                .isTrue();
        assertThat(session.tell(wanted(0, 0), answer(-1, -1, Errors.NOT_LEADER_OR_FOLLOWER)))
                .isTrue();
        assertThat(session.tell(wanted(0, 0), answer(5, 0, Errors.NONE))).isTrue();
    }

    @Test
    void whoWentAstrayIsToldTheHighWatermarkAgain() {
        FetchSession session = create(false, 1);
        PartitionData astray = answer(5, 0, Errors.NONE)
                .setDivergingEpoch(new EpochEndOffset().setEpoch(1).setEndOffset(5));

        assertThat(session.tell(wanted(0, 0), astray)).isTrue();
        assertThat(session.tell(wanted(0, 0), answer(5, 0, Errors.NONE))).isTrue();
        assertThat(session.tell(wanted(0, 0), answer(5, 0, Errors.NONE))).isFalse();
    }

    @Test
    void aFollowerIsToldTheHighWatermarkUntilItKnowsIt() {
        FetchSession session = create(true, 1);
        Wanted knowing3 = new Wanted("orders", Uuid.ZERO_UUID, 0, 5, 1024, -1, -1, 0, 3);
        session.update(1, false, List.of(knowing3), List.of());

        assertThat(session.tell(knowing3, answer(5, 0, Errors.NONE))).isTrue();
        assertThat(session.tell(knowing3, answer(5, 0, Errors.NONE))).isTrue();

        Wanted knowing5 = new Wanted("orders", Uuid.ZERO_UUID, 0, 5, 1024, -1, -1, 0, 5);
        session.update(2, false, List.of(knowing5), List.of());
        assertThat(session.tell(knowing5, answer(5, 0, Errors.NONE))).isFalse();
        assertThat(session.tell(knowing5, answer(6, 0, Errors.NONE))).isTrue();
    }

    @Test
    void whoGotRecordsIsReadLastNextTime() {
        FetchSession session = create(false, 3);
        MemoryRecords some = MemoryRecords.readableRecords(java.nio.ByteBuffer.allocate(10));

        session.tell(wanted(0, 0), answer(1, 0, Errors.NONE).setRecords(some));

        assertThat(session.wanted()).extracting(Wanted::index).containsExactly(1, 2, 0);
    }

    @Test
    void whenFullANewcomerGetsNoSession() {
        create(false, 1);
        create(false, 1);

        assertThat(sessions.create(false, false, wanted(1))).isNull();
        assertThat(sessions.size()).isEqualTo(2);
    }

    @Test
    void aFollowerTakesTheSmallestSessionOfAConsumer() {
        FetchSession large = create(false, 3);
        FetchSession small = create(false, 1);

        assertThat(sessions.create(true, false, wanted(1))).isNotNull();

        assertThat(sessions.find(small.id())).isNull();
        assertThat(sessions.find(large.id())).isNotNull();
        assertThat(sessions.evictions()).isEqualTo(1);
    }

    @Test
    void aConsumerNeverTakesTheSessionOfABusyFollower() {
        FetchSession one = create(true, 1);
        FetchSession other = create(true, 1);
        nowMs.addAndGet(FetchSessions.MIN_LIFE_MS + 1);
        sessions.touch(one);
        sessions.touch(other);

        assertThat(sessions.create(false, false, wanted(5))).isNull();
    }

    @Test
    void aLargerSessionTakesTheOldPlaceOfASmallerOneOnlyAfterTwoMinutes() {
        FetchSession first = create(false, 1);
        FetchSession second = create(false, 1);
        assertThat(sessions.create(false, false, wanted(5))).isNull();
        nowMs.addAndGet(FetchSessions.MIN_LIFE_MS + 1);
        sessions.touch(first);
        sessions.touch(second);

        assertThat(sessions.create(false, false, List.of())).as("smaller").isNull();
        assertThat(sessions.create(false, false, wanted(5))).as("larger").isNotNull();
    }

    @Test
    void aSessionThatNobodyUsesGoesFirst() {
        FetchSession idle = create(true, 9);
        FetchSession used = create(false, 1);
        nowMs.addAndGet(FetchSessions.MIN_LIFE_MS + 1);
        sessions.touch(used);

        create(false, 1);

        assertThat(sessions.find(idle.id())).isNull();
        assertThat(sessions.find(used.id())).isNotNull();
        assertThat(sessions.partitions()).isEqualTo(2);
    }

    private FetchSession create(boolean privileged, int partitions) {
        return Objects.requireNonNull(sessions.create(privileged, false, wanted(partitions)));
    }

    private static Errors update(FetchSession session, int epoch) {
        return session.update(epoch, false, List.of(), List.of());
    }

    private static List<Wanted> wanted(int partitions) {
        return IntStream.range(0, partitions).mapToObj(i -> wanted(i, 0)).toList();
    }

    private static Wanted wanted(int index, long offset) {
        return new Wanted("orders", Uuid.ZERO_UUID, index, offset, 1024, -1, -1, -1, Long.MAX_VALUE);
    }

    private static PartitionData answer(long highWatermark, long logStart, Errors error) {
        return new PartitionData()
                .setHighWatermark(highWatermark)
                .setLogStartOffset(logStart)
                .setErrorCode(error.code())
                .setRecords(MemoryRecords.EMPTY);
    }
}
