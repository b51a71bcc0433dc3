package io.highwater.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How many replicas may be away before a partition takes no more writes: as many as it has beyond its minimum. */
class FailuresSurvivedTest {
    @ParameterizedTest(name = "{0} replicas, minimum {1}, {2} away")
    @MethodSource("cases")
    void writesGoOnAsLongAsTheMinimumIsInSync(int replicas, int minimum, int away) {
        List<Integer> inSync = ids(replicas - away);
        LeaderReplica leader = new LeaderReplica(
                1,
                new Leadership(0, 0, ids(replicas), inSync),
                Membership.EVERYBODY,
                new ReplicaSettings(minimum, 30_000),
                new LogBounds(0, 0, 0),
                0);

        Refusal refusal = leader.admit(-1);
        leader.onAppended(1, 0);
        for (int follower : inSync.subList(1, inSync.size())) {
            leader.onFollowerFetch(follower, 1, 0, -1, 0);
        }

        boolean open = away <= replicas - minimum;
        assertThat(refusal).isEqualTo(open ? null : Refusal.NOT_ENOUGH_REPLICAS);
        assertThat(leader.highWatermark()).isEqualTo(open ? 1 : 0);
    }

    static Stream<Arguments> cases() {
        return IntStream.rangeClosed(1, 3)
                .boxed()
                .flatMap(replicas -> IntStream.rangeClosed(1, replicas)
                        .boxed()
                        .flatMap(minimum ->
                                IntStream.range(0, replicas).mapToObj(away -> Arguments.of(replicas, minimum, away))));
    }

    private static List<Integer> ids(int count) {
        return IntStream.rangeClosed(1, count).boxed().toList();
    }
}
