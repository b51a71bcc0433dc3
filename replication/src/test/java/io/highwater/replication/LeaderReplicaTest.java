package io.highwater.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.replication.InSyncReplicasProposal.Cause;
import io.highwater.replication.InSyncReplicasProposal.Member;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeaderReplicaTest {
    private static final int MAX_LAG_MS = 1_000;
    private static final int GRACE_MS = 200;

    private final Brokers brokers = new Brokers();

    /** The newest proposal. */
    private InSyncReplicasProposal asked = new InSyncReplicasProposal(0, 0, List.of(), Cause.LAGGING, List.of(), 0, 0);

    private long nowMs = 100_000;

    @Test
    void aloneItCommitsWhatItAppends() {
        LeaderReplica leader = leader(1, List.of(1), List.of(1));

        leader.onAppended(5, nowMs);

        assertThat(leader.highWatermark()).isEqualTo(5);
    }

    @Test
    void commitsWhatEveryInSyncReplicaHolds() {
        LeaderReplica leader = leader(2, List.of(1, 2, 3), List.of(1, 2, 3));
        leader.onAppended(10, nowMs);

        fetch(leader, 2, 10);
        fetch(leader, 3, 7);

        assertThat(leader.highWatermark()).isEqualTo(7);
    }

    @Test
    void commitsNothingBeforeItHasHeardOfEveryInSyncReplica() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1, 2));

        leader.onAppended(10, nowMs);

        assertThat(leader.highWatermark()).isZero();
    }

    @Test
    void highWatermarkIsFrozenBelowMinInSync() {
        LeaderReplica leader = leader(2, List.of(1, 2, 3), List.of(1));

        leader.onAppended(10, nowMs);

        assertThat(leader.highWatermark()).isZero();
        assertThat(leader.admit(-1)).isEqualTo(Refusal.NOT_ENOUGH_REPLICAS);
        assertThat(leader.admit(1)).isNull();
        assertThat(leader.admit(0)).isNull();
    }

    @Test
    void minInSyncIsNeverMoreThanThereAreReplicas() {
        LeaderReplica leader = leader(3, List.of(1), List.of(1));

        leader.onAppended(10, nowMs);

        assertThat(leader.admit(-1)).isNull();
        assertThat(leader.highWatermark()).isEqualTo(10);
    }

    @Test
    void loweringTheMinimumThawsTheHighWatermark() {
        LeaderReplica leader = leader(2, List.of(1, 2), List.of(1));
        leader.onAppended(10, nowMs += 2 * MAX_LAG_MS);

        leader.onSettings(new ReplicaSettings(1, MAX_LAG_MS), nowMs);

        assertThat(leader.highWatermark()).isEqualTo(10);
    }

    @Test
    void aReplicaAboutToJoinHoldsTheHighWatermarkBack() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1));
        leader.onAppended(10, nowMs += 2 * MAX_LAG_MS);
        fetch(leader, 2, 10);
        leader.onProposalRefused(proposal(leader, 10), ProposalAnswer.REJECTED);

        leader.onAppended(20, nowMs + 1);

        assertThat(leader.highWatermark()).isEqualTo(10);
    }

    /** Nothing else may happen for as long as the writer waits. */
    @Test
    void whoWasAboutToJoinAndDidNotComeIsNoLongerWaitedFor() {
        LeaderReplica leader = leader(2, List.of(1, 2, 3), List.of(1, 2));
        fetch(leader, 3, 0);
        leader.onProposalRefused(asked, ProposalAnswer.REJECTED);
        leader.onAppended(10, nowMs);
        fetch(leader, 2, 10);
        leader.onTick(nowMs + MAX_LAG_MS);
        assertThat(leader.highWatermark()).isZero();

        leader.onTick(nowMs + MAX_LAG_MS + 1);

        assertThat(leader.highWatermark()).isEqualTo(10);
    }

    @Test
    void aFencedReplicaDoesNotHoldTheHighWatermarkBack() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1));
        leader.onAppended(10, nowMs += 2 * MAX_LAG_MS);
        brokers.inactive.add(2);
        fetch(leader, 2, 10);

        leader.onAppended(20, nowMs + 1);

        assertThat(leader.highWatermark()).isEqualTo(20);
        assertThat(leader.isProposing()).isFalse();
    }

    @Test
    void proposesAFollowerThatHasReachedTheHighWatermark() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1));
        leader.onAppended(10, nowMs += 2 * MAX_LAG_MS);

        assertThat(fetch(leader, 2, 9)).isEmpty();
        List<Effect> effects = leader.onFollowerFetch(2, 10, 0, 22, nowMs);

        assertThat(effects)
                .containsExactly(new InSyncReplicasProposal(
                        5,
                        7,
                        List.of(new Member(1, 11), new Member(2, 22)),
                        Cause.CAUGHT_UP,
                        List.of(new FollowerView(2, 0, 10, 0, 0)),
                        10,
                        10));
        assertThat(leader.inSyncReplicas()).containsExactly(1);
    }

    @Test
    void aFollowerBelowTheStartOfTheReignMayNotJoin() {
        LeaderReplica leader = new LeaderReplica(
                1,
                new Leadership(5, 7, List.of(1, 2), List.of(1)),
                brokers,
                new ReplicaSettings(2, MAX_LAG_MS),
                new LogBounds(0, 4, 10),
                nowMs);

        assertThat(fetch(leader, 2, 9)).isEmpty();
        assertThat(fetch(leader, 2, 10)).hasSize(1);
    }

    @Test
    void aFollowerOfAFormerRegistrationMayNotJoin() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1));

        assertThat(leader.onFollowerFetch(2, 0, 0, 21, nowMs)).isEmpty();
        assertThat(leader.mayFetch(2, 5, 21)).isEqualTo(Refusal.STALE_BROKER_EPOCH);
        assertThat(leader.mayFetch(2, 5, 22)).isNull();
        assertThat(leader.mayFetch(2, 5, -1)).isNull();
    }

    @Test
    void anInSyncReplicaThatIsBackBeforeTheNewsOfItCommitsNothing() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1, 2));
        leader.onAppended(10, nowMs);

        leader.onFollowerFetch(2, 10, 0, 23, nowMs);
        assertThat(leader.highWatermark()).isZero();

        brokers.epochs.put(2, 23L);
        leader.onLeadership(new Leadership(5, 8, List.of(1, 2), List.of(1, 2)), nowMs);
        assertThat(leader.highWatermark()).isEqualTo(10);
    }

    @Test
    void whoIsInAnotherReignIsToldSoBeforeAnythingElse() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1));

        assertThat(leader.mayFetch(2, 4, 21)).isEqualTo(Refusal.FENCED_EPOCH);
        assertThat(leader.mayFetch(9, 6, 21)).isEqualTo(Refusal.UNKNOWN_EPOCH);
        assertThat(Refusal.of(4, true, 5, false)).isEqualTo(Refusal.FENCED_EPOCH);
        assertThat(Refusal.of(6, true, 5, false)).isEqualTo(Refusal.UNKNOWN_EPOCH);
        assertThat(Refusal.of(-1, true, 5, false)).isEqualTo(Refusal.NOT_LEADER);
        assertThat(Refusal.of(5, false, 5, false)).isNull();
    }

    @Test
    void aStrangerMayNotFetch() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1));

        assertThat(leader.mayFetch(9, 5, -1)).isEqualTo(Refusal.NOT_ASSIGNED);
        assertThat(leader.mayFetch(9, -1, -1)).isEqualTo(Refusal.NOT_LEADER);
        assertThat(fetch(leader, 9, 0)).isEmpty();
    }

    @Test
    void aProposedJoinerCountsForCommitsAtOnce() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1));
        fetch(leader, 2, 0);

        leader.onAppended(10, nowMs += 2 * MAX_LAG_MS);

        assertThat(leader.highWatermark()).isZero();
        fetch(leader, 2, 6);
        assertThat(leader.highWatermark()).isEqualTo(6);
    }

    @Test
    void aProposedJoinerDoesNotCountForAdmission() {
        LeaderReplica leader = leader(2, List.of(1, 2), List.of(1));
        fetch(leader, 2, 0);

        assertThat(leader.admit(-1)).isEqualTo(Refusal.NOT_ENOUGH_REPLICAS);
        assertThat(leader.vouch()).isNull();
    }

    @Test
    void asksForOneChangeAtATime() {
        LeaderReplica leader = leader(1, List.of(1, 2, 3), List.of(1));
        fetch(leader, 2, 0);

        assertThat(fetch(leader, 3, 0)).isEmpty();
        nowMs += 2 * MAX_LAG_MS;
        assertThat(leader.onTick(nowMs)).isEmpty();
    }

    @Test
    void proposesToGoOnWithoutALaggard() {
        LeaderReplica leader = leader(2, List.of(1, 2, 3), List.of(1, 2, 3));
        leader.onAppended(10, nowMs);
        nowMs += MAX_LAG_MS + 1;
        fetch(leader, 2, 10);

        List<Effect> effects = leader.onTick(nowMs);

        assertThat(effects)
                .containsExactly(new InSyncReplicasProposal(
                        5,
                        7,
                        List.of(new Member(1, 11), new Member(2, -1)),
                        Cause.LAGGING,
                        List.of(new FollowerView(3, -1, -1, MAX_LAG_MS + 1, -1)),
                        10,
                        0));
        assertThat(leader.highWatermark())
                .as("a laggard counts until the controller agrees")
                .isZero();
    }

    @Test
    void goesOnWithoutTheLaggardOnceAgreed() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1, 2));
        leader.onAppended(10, nowMs);
        nowMs += MAX_LAG_MS + 1;
        ask(leader.onTick(nowMs));

        assertThat(leader.onAgreed(asked, 8, List.of(1), nowMs)).isTrue();

        assertThat(leader.highWatermark()).isEqualTo(10);
        assertThat(leader.inSyncReplicas()).containsExactly(1);
        assertThat(leader.partitionEpoch()).isEqualTo(8);
        assertThat(leader.isProposing()).isFalse();
    }

    @Test
    void aFollowerThatIsAlwaysOneFetchBehindIsCaughtUp() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1, 2));
        long end = 0;
        for (int round = 0; round < 10; round++) {
            leader.onAppended(end + 10, nowMs);
            fetch(leader, 2, end);
            end += 10;
            nowMs += MAX_LAG_MS / 2;
        }

        assertThat(leader.onTick(nowMs)).isEmpty();
    }

    @Test
    void aFollowerThatFetchesButFallsBackIsNotCaughtUp() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1, 2));
        for (int round = 0; round < 10; round++) {
            leader.onAppended((round + 1) * 100L, nowMs);
            fetch(leader, 2, round);
            nowMs += MAX_LAG_MS / 2;
        }

        assertThat(leader.onTick(nowMs)).hasSize(1);
    }

    @Test
    void aRejectedProposalLeavesTheAgreedSet() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1));
        fetch(leader, 2, 0);

        leader.onProposalRefused(proposal(leader, 0), ProposalAnswer.REJECTED);

        assertThat(leader.isProposing()).isFalse();
        assertThat(fetch(leader, 2, 0)).as("asks again at the next fetch").hasSize(1);
    }

    @Test
    void anOvertakenProposalWaitsForMetadata() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1));
        fetch(leader, 2, 0);

        leader.onProposalRefused(proposal(leader, 0), ProposalAnswer.OVERTAKEN);

        assertThat(leader.isProposing()).isTrue();
        leader.onLeadership(new Leadership(5, 8, List.of(1, 2), List.of(1, 2)), nowMs);
        assertThat(leader.isProposing()).isFalse();
        assertThat(leader.inSyncReplicas()).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void metadataThatRepeatsAnAnswerLeavesALaterProposalAlone() {
        LeaderReplica leader = leader(1, List.of(1, 2, 3), List.of(1));
        fetch(leader, 2, 0);
        leader.onAgreed(asked, 8, List.of(1, 2), nowMs);
        fetch(leader, 3, 0);

        leader.onLeadership(new Leadership(5, 8, List.of(1, 2, 3), List.of(1, 2)), nowMs);

        assertThat(leader.isProposing()).isTrue();
        leader.onAppended(10, nowMs += 2 * MAX_LAG_MS);
        fetch(leader, 2, 10);
        assertThat(leader.highWatermark()).as("the one proposed to join counts").isZero();
    }

    @Test
    void anUndecidedProposalIsAskedAgain() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1));
        InSyncReplicasProposal asked =
                (InSyncReplicasProposal) fetch(leader, 2, 0).get(0);

        assertThat(leader.onProposalRefused(asked, ProposalAnswer.UNDECIDED)).containsExactly(asked);
    }

    @Test
    void anAnswerThatMetadataHasOvertakenLeavesALaterProposalAlone() {
        LeaderReplica leader = leader(1, List.of(1, 2, 3), List.of(1));
        fetch(leader, 2, 0);
        InSyncReplicasProposal first = asked;
        leader.onLeadership(new Leadership(5, 8, List.of(1, 2, 3), List.of(1, 2)), nowMs);
        fetch(leader, 3, 0);

        assertThat(leader.onAgreed(first, 8, List.of(1, 2), nowMs)).isFalse();

        assertThat(leader.isProposing()).isTrue();
        assertThat(leader.onAgreed(asked, 9, List.of(1, 2, 3), nowMs)).isTrue();
    }

    @Test
    void anAnswerFromAnotherReignIsIgnored() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1));
        fetch(leader, 2, 0);
        leader.onLeadership(new Leadership(6, 9, List.of(1, 2), List.of(1)), nowMs);

        assertThat(leader.onAgreed(asked, 8, List.of(1, 2), nowMs)).isFalse();
        assertThat(leader.inSyncReplicas()).containsExactly(1);
    }

    @Test
    void olderMetadataIsIgnored() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1));

        leader.onLeadership(new Leadership(5, 6, List.of(1, 2), List.of(1, 2)), nowMs);

        assertThat(leader.inSyncReplicas()).containsExactly(1);
        assertThat(leader.partitionEpoch()).isEqualTo(7);
    }

    @Test
    void aNewEpochOfTheSameLeaderKeepsOffsetsAndStartsTheClockAgain() {
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1, 2));
        leader.onAppended(10, nowMs);
        fetch(leader, 2, 4);
        nowMs += 10 * MAX_LAG_MS;

        leader.onLeadership(new Leadership(6, 8, List.of(1, 2), List.of(1, 2)), nowMs);

        assertThat(leader.leaderEpoch()).isEqualTo(6);
        assertThat(leader.epochStartOffset()).isEqualTo(10);
        assertThat(leader.highWatermark()).isEqualTo(4);
        assertThat(leader.onTick(nowMs)).isEmpty();
    }

    @Test
    void aNewLeaderStartsFromWhatItKnewToBeCommitted() {
        LeaderReplica leader = new LeaderReplica(
                1,
                new Leadership(5, 7, List.of(1, 2), List.of(1, 2)),
                brokers,
                new ReplicaSettings(1, MAX_LAG_MS),
                new LogBounds(3, 6, 10),
                nowMs);

        assertThat(leader.highWatermark()).isEqualTo(6);
    }

    @Test
    void raisingTheLogStartLiftsTheHighWatermark() {
        LeaderReplica leader = leader(2, List.of(1, 2), List.of(1));
        leader.onAppended(10, nowMs);

        leader.onLogStartRaised(4);

        assertThat(leader.highWatermark()).isEqualTo(4);
    }

    @Test
    void goesOnWithoutAFollowerThatStaysDisconnected() {
        LeaderReplica leader = impatientLeader(2, List.of(1, 2, 3));
        leader.onAppended(10, nowMs);
        fetch(leader, 2, 10);
        leader.onFollowerDisconnected(3, nowMs);

        assertThat(leader.nextDeadlineMs()).isEqualTo(nowMs + GRACE_MS);
        assertThat(leader.onTick(nowMs + GRACE_MS - 1)).isEmpty();
        assertThat(leader.onTick(nowMs + GRACE_MS)).singleElement().satisfies(effect -> {
            InSyncReplicasProposal proposal = (InSyncReplicasProposal) effect;
            assertThat(proposal.cause()).isEqualTo(Cause.DISCONNECTED);
            assertThat(proposal.replicas()).containsExactly(3);
        });
        assertThat(leader.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void waitsForNobodyItHasGivenUp() {
        LeaderReplica leader = impatientLeader(2, List.of(1, 2, 3));
        fetch(leader, 3, 0);
        leader.onAppended(10, nowMs);
        fetch(leader, 2, 10);
        leader.onFollowerDisconnected(3, nowMs);
        ask(leader.onTick(nowMs += GRACE_MS));

        leader.onAgreed(asked, 8, List.of(1, 2), nowMs);

        assertThat(leader.highWatermark()).isEqualTo(10);
    }

    @Test
    void aFollowerThatFetchesAgainIsAboveSuspicion() {
        LeaderReplica leader = impatientLeader(2, List.of(1, 2, 3));
        leader.onFollowerDisconnected(3, nowMs);

        fetch(leader, 3, 0);

        assertThat(leader.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
        assertThat(leader.onTick(nowMs + MAX_LAG_MS)).isEmpty();
    }

    @Test
    void isNeverImpatientBelowTheMinimumOrToBeAlone() {
        LeaderReplica pair = impatientLeader(2, List.of(1, 2));
        pair.onFollowerDisconnected(2, nowMs);
        LeaderReplica careless = impatientLeader(1, List.of(1, 2, 3));
        careless.onFollowerDisconnected(2, nowMs);
        careless.onFollowerDisconnected(3, nowMs);

        assertThat(pair.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
        assertThat(pair.onTick(nowMs + MAX_LAG_MS)).isEmpty();
        assertThat(careless.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
        assertThat(careless.onTick(nowMs + MAX_LAG_MS)).isEmpty();
    }

    @Test
    void hasTwiceThePatienceWithAFollowerThatItGaveUpBefore() {
        LeaderReplica leader = impatientLeader(2, List.of(1, 2, 3));
        giveUpAndTakeBack(leader, GRACE_MS, 8);

        leader.onFollowerDisconnected(3, nowMs);

        assertThat(leader.nextDeadlineMs()).isEqualTo(nowMs + 2 * GRACE_MS);
    }

    @Test
    void forgetsInTheEndThatItGaveAFollowerUp() {
        LeaderReplica leader = impatientLeader(2, List.of(1, 2, 3));
        giveUpAndTakeBack(leader, GRACE_MS, 8);
        nowMs += Suspicion.FORGIVEN_AFTER_LAGS * MAX_LAG_MS + 1;

        leader.onFollowerDisconnected(3, nowMs);

        assertThat(leader.nextDeadlineMs()).isEqualTo(nowMs + GRACE_MS);
    }

    @Test
    void whatIsForgottenIsNotRememberedTheNextTime() {
        LeaderReplica leader = impatientLeader(2, List.of(1, 2, 3));
        fetch(leader, 2, 0);
        giveUpAndTakeBack(leader, GRACE_MS, 8);
        giveUpAndTakeBack(leader, 2 * GRACE_MS, 10);
        nowMs += Suspicion.FORGIVEN_AFTER_LAGS * MAX_LAG_MS + 1;
        giveUpAndTakeBack(leader, GRACE_MS, 12);

        leader.onFollowerDisconnected(3, nowMs);

        assertThat(leader.nextDeadlineMs()).isEqualTo(nowMs + 2 * GRACE_MS);
    }

    @Test
    void aClockThatHasJustBegunMakesNobodyCaughtUp() {
        nowMs = 0;
        LeaderReplica leader = leader(1, List.of(1, 2), List.of(1));

        leader.onAppended(10, nowMs);

        assertThat(leader.highWatermark()).isEqualTo(10);
    }

    @Test
    void theLowWatermarkWaitsForActiveFollowersOnly() {
        LeaderReplica leader = leader(1, List.of(1, 2, 3), List.of(1, 2, 3));
        leader.onAppended(10, nowMs);
        leader.onFollowerFetch(2, 10, 2, -1, nowMs);
        leader.onFollowerFetch(3, 10, 5, -1, nowMs);
        leader.onLogStartRaised(7);

        assertThat(leader.lowWatermark()).isEqualTo(2);
        brokers.inactive.add(2);
        assertThat(leader.lowWatermark()).isEqualTo(5);
    }

    @Test
    void aShrinkingLogIsOurOwnFault() {
        LeaderReplica leader = leader(1, List.of(1), List.of(1));
        leader.onAppended(10, nowMs);

        assertThatThrownBy(() -> leader.onAppended(9, nowMs)).isInstanceOf(IllegalStateException.class);
    }

    private LeaderReplica leader(int minInSync, List<Integer> assigned, List<Integer> inSync) {
        return new LeaderReplica(
                1,
                new Leadership(5, 7, assigned, inSync),
                brokers,
                new ReplicaSettings(minInSync, MAX_LAG_MS),
                new LogBounds(0, 0, 0),
                nowMs);
    }

    private LeaderReplica impatientLeader(int minInSync, List<Integer> inSync) {
        LeaderReplica leader = leader(minInSync, inSync, inSync);
        leader.onSettings(new ReplicaSettings(minInSync, MAX_LAG_MS, GRACE_MS), nowMs);
        return leader;
    }

    /** Follower 3 loses its connection, is given up after {@code graceMs}, and fetches and joins again. */
    private void giveUpAndTakeBack(LeaderReplica leader, long graceMs, int partitionEpoch) {
        leader.onFollowerDisconnected(3, nowMs);
        ask(leader.onTick(nowMs += graceMs));
        leader.onAgreed(asked, partitionEpoch, List.of(1, 2), nowMs);
        fetch(leader, 3, 0);
        leader.onAgreed(asked, partitionEpoch + 1, List.of(1, 2, 3), nowMs);
    }

    private List<Effect> fetch(LeaderReplica leader, int replicaId, long offset) {
        return ask(leader.onFollowerFetch(replicaId, offset, 0, -1, nowMs));
    }

    /** Remembers what was asked for, if anything. */
    private List<Effect> ask(List<Effect> effects) {
        effects.forEach(effect -> effect.performBy(proposal -> asked = proposal));
        return effects;
    }

    /** The proposal that the fetch of follower 2 has just made, as the leader holds it. */
    private InSyncReplicasProposal proposal(LeaderReplica leader, long logEnd) {
        return new InSyncReplicasProposal(
                leader.leaderEpoch(),
                leader.partitionEpoch(),
                List.of(new Member(1, 11), new Member(2, -1)),
                Cause.CAUGHT_UP,
                List.of(leader.followers(nowMs).get(0)),
                logEnd,
                leader.highWatermark());
    }

    private static final class Brokers implements Membership {
        final Set<Integer> inactive = new HashSet<>();
        final Map<Integer, Long> epochs = new HashMap<>(Map.of(1, 11L, 2, 22L, 3, 33L));

        @Override
        public boolean isActive(int brokerId) {
            return !inactive.contains(brokerId);
        }

        @Override
        public long brokerEpoch(int brokerId) {
            return epochs.getOrDefault(brokerId, -1L);
        }
    }
}
