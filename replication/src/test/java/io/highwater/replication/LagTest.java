package io.highwater.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A follower lags by time, not by the number of records that it lacks. */
class LagTest {
    private static final long MAX_LAG_MS = 30_000;

    private final LeaderReplica leader = new LeaderReplica(
            1,
            new Leadership(0, 0, List.of(1, 2), List.of(1, 2)),
            Membership.EVERYBODY,
            new ReplicaSettings(1, MAX_LAG_MS),
            new LogBounds(0, 0, 0),
            0);

    @Test
    void aBurstEvictsNobody() {
        fetch(0, 0);
        leader.onAppended(4_000, 80);

        assertThat(leader.onTick(80)).isEmpty();
        assertThat(leader.onTick(MAX_LAG_MS)).isEmpty();
    }

    /** While there is nothing to fetch, silence proves nothing; the first record that it does not fetch in time does. */
    @Test
    void aFrozenFollowerOfAQuietPartitionIsFoundOutByTheNextRecord() {
        fetch(0, 0);
        long quietMs = 40 * MAX_LAG_MS;
        assertThat(leader.onTick(quietMs)).isEmpty();

        leader.onAppended(1, quietMs);

        assertThat(leader.onTick(quietMs + MAX_LAG_MS + 1)).hasSize(1);
    }

    private void fetch(long fetchOffset, long nowMs) {
        leader.onFollowerFetch(2, fetchOffset, 0, -1, nowMs);
    }
}
