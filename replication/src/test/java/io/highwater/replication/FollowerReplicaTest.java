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

    private static FollowerReplica follower(LogBounds log) {
        return new FollowerReplica(2, 3, 0, log);
    }
}
