package io.highwater.replication;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FollowerReplicaTest {
    @Test
    void takesTheLeadersHighWatermarkUpToItsOwnEnd() {
        FollowerReplica follower = follower(new LogBounds(0, 0, 0));

        follower.onFetched(20, 0, 15);

        assertThat(follower.highWatermark()).isEqualTo(15);
    }

    @Test
    void itsHighWatermarkMayGoDownButNotBelowTheLogStart() {
        FollowerReplica follower = follower(new LogBounds(0, 10, 20));

        follower.onFetched(2, 5, 20);

        assertThat(follower.highWatermark()).isEqualTo(5);
    }

    @Test
    void truncationTakesTheHighWatermarkAlong() {
        FollowerReplica follower = follower(new LogBounds(0, 10, 20));

        follower.onTruncated(7);

        assertThat(follower.highWatermark()).isEqualTo(7);
    }

    @Test
    void withoutEpochsItStartsFromTheHighWatermark() {
        FollowerReplica follower = follower(new LogBounds(0, 10, 20));

        assertThat(follower.firstFetchOffset(true, 20)).isEqualTo(20);
        assertThat(follower.firstFetchOffset(false, 20)).isEqualTo(10);
    }

    @Test
    void olderMetadataIsIgnored() {
        FollowerReplica follower = follower(new LogBounds(0, 0, 0));

        follower.onFollowing(4, 1);
        assertThat(follower.leaderEpoch()).isEqualTo(4);
        follower.onFollowing(3, 0);

        assertThat(follower.leaderEpoch()).isEqualTo(4);
        assertThat(follower.partitionEpoch()).isEqualTo(1);
    }

    @Test
    void truncatesToWhereBothAgree() {
        EpochEnd leaderEnd = new EpochEnd(3, 50);

        assertThat(FollowerReplica.truncationOffset(leaderEnd, EpochEnd.UNDEFINED, 40))
                .isEqualTo(40);
        assertThat(FollowerReplica.truncationOffset(leaderEnd, new EpochEnd(2, 30), 60))
                .isEqualTo(30);
        assertThat(FollowerReplica.truncationOffset(leaderEnd, new EpochEnd(3, 55), 60))
                .isEqualTo(50);
        assertThat(FollowerReplica.truncationOffset(leaderEnd, new EpochEnd(3, 45), 60))
                .isEqualTo(45);
    }

    @Test
    void asksFromItsLogEndAndSaysWhatItHas() {
        FollowerReplica follower = follower(new LogBounds(5, 10, 20));

        assertThat(follower.nextFetch(new FixedLog(5, 20, 3, EpochEnd.UNDEFINED)))
                .isEqualTo(new FetchPosition(2, 3, 20, 3, 5, 10));
    }

    @Test
    void asksNobodyWhileNobodyLeads() {
        FollowerReplica follower = new FollowerReplica(-1, 3, 0, new LogBounds(0, 0, 0));

        assertThat(follower.nextFetch(LOG)).isNull();
    }

    @Test
    void appendsWhatFits() {
        FollowerReplica follower = follower(new LogBounds(0, 10, 20));

        assertThat(answer(follower, new LeaderAnswer(null, 15, 0, null))).isEqualTo(FollowerStep.APPEND);
    }

    @Test
    void truncatesWhatItsLeaderDoesNotHave() {
        FollowerReplica follower = follower(new LogBounds(0, 10, 20));

        FollowerStep step = answer(follower, new LeaderAnswer(null, 15, 0, new EpochEnd(3, 17)));

        assertThat(step).isEqualTo(FollowerStep.truncateTo(17));
    }

    @Test
    void anAnswerToAnOutdatedQuestionMeansNothing() {
        FollowerReplica follower = follower(new LogBounds(0, 10, 20));
        FetchPosition asked = new FetchPosition(2, 3, 20, 3, 0, 10);
        LeaderAnswer answer = new LeaderAnswer(null, 15, 0, new EpochEnd(3, 17));

        assertThat(follower.onAnswer(asked, answer, new FixedLog(0, 19, 3, EpochEnd.UNDEFINED)))
                .isEqualTo(FollowerStep.IGNORE);
        assertThat(follower.onAnswer(asked, answer, new FixedLog(0, 20, 2, EpochEnd.UNDEFINED)))
                .isEqualTo(FollowerStep.IGNORE);
        follower.onFollowing(4, 1);
        assertThat(follower.onAnswer(asked, answer, LOG)).isEqualTo(FollowerStep.IGNORE);
    }

    @Test
    void onceItsEpochIsOverItWaitsForNews() {
        FollowerReplica follower = follower(new LogBounds(0, 10, 20));

        assertThat(answer(follower, LeaderAnswer.refused(Refusal.FENCED_EPOCH))).isEqualTo(FollowerStep.HALT);
        assertThat(follower.nextFetch(LOG)).isNull();
        follower.onFollowing(3, 1);
        assertThat(follower.nextFetch(LOG)).as("no news").isNull();
        follower.onFollowing(4, 2);
        assertThat(follower.nextFetch(LOG)).isNotNull();
    }

    @Test
    void asksAgainLaterWhatMayPass() {
        FollowerReplica follower = follower(new LogBounds(0, 10, 20));

        assertThat(answer(follower, LeaderAnswer.refused(Refusal.UNKNOWN_EPOCH)))
                .isEqualTo(FollowerStep.BACK_OFF);
        assertThat(answer(follower, LeaderAnswer.refused(Refusal.NOT_LEADER))).isEqualTo(FollowerStep.BACK_OFF);
    }

    @Test
    void outOfRangeItLooksForTheLeadersBounds() {
        FollowerReplica follower = follower(new LogBounds(0, 10, 20));
        FetchPosition asked = new FetchPosition(2, 3, 20, 3, 0, 10);

        assertThat(answer(follower, LeaderAnswer.refused(Refusal.OFFSET_OUT_OF_RANGE)))
                .isEqualTo(FollowerStep.ASK_BOUNDS);
        assertThat(follower.onLeaderBounds(asked, 0, 12, LOG)).isEqualTo(FollowerStep.truncateTo(12));
        assertThat(follower.onLeaderBounds(asked, 30, 40, LOG)).isEqualTo(FollowerStep.restartAt(30));
        assertThat(follower.onLeaderBounds(asked, 10, 40, LOG)).isEqualTo(FollowerStep.BACK_OFF);
    }

    @Test
    void aLeaderTellsWhoWentAstray() {
        EpochEnd sameEpoch = new EpochEnd(3, 17);
        EpochEnd olderEpoch = new EpochEnd(2, 25);

        assertThat(LeaderAnswer.to(17, 3, new FixedLog(0, 30, 5, sameEpoch), 9))
                .isEqualTo(new LeaderAnswer(null, 9, 0, null));
        assertThat(LeaderAnswer.to(18, 3, new FixedLog(0, 30, 5, sameEpoch), 9).diverging())
                .isEqualTo(sameEpoch);
        assertThat(LeaderAnswer.to(20, 3, new FixedLog(0, 30, 5, olderEpoch), 9).diverging())
                .isEqualTo(olderEpoch);
    }

    @Test
    void aLeaderAnswersOnlyWithinItsLog() {
        FixedLog log = new FixedLog(10, 30, 5, new EpochEnd(5, 30));

        assertThat(LeaderAnswer.to(9, -1, log, 20).refusal()).isEqualTo(Refusal.OFFSET_OUT_OF_RANGE);
        assertThat(LeaderAnswer.to(9, 5, log, 20).refusal()).isEqualTo(Refusal.OFFSET_OUT_OF_RANGE);
        assertThat(LeaderAnswer.to(31, -1, log, 20).refusal()).isEqualTo(Refusal.OFFSET_OUT_OF_RANGE);
        assertThat(LeaderAnswer.to(30, -1, log, 20).refusal()).isNull();
        assertThat(LeaderAnswer.to(30, 4, new FixedLog(10, 30, 5, EpochEnd.UNDEFINED), 20)
                        .refusal())
                .isEqualTo(Refusal.OFFSET_OUT_OF_RANGE);
    }

    private static final ReplicaLog LOG = new FixedLog(0, 20, 3, EpochEnd.UNDEFINED);

    private static FollowerStep answer(FollowerReplica follower, LeaderAnswer answer) {
        return follower.onAnswer(new FetchPosition(2, 3, 20, 3, 0, 10), answer, LOG);
    }

    private record FixedLog(long logStartOffset, long logEndOffset, int latestEpoch, EpochEnd end)
            implements ReplicaLog {
        @Override
        public EpochEnd endOffsetFor(int epoch) {
            return end;
        }
    }

    private static FollowerReplica follower(LogBounds log) {
        return new FollowerReplica(2, 3, 0, log);
    }
}
