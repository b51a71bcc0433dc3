package io.highwater.broker.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.replication.FollowerView;
import io.highwater.replication.InSyncReplicasProposal;
import io.highwater.replication.InSyncReplicasProposal.Cause;
import io.highwater.replication.InSyncReplicasProposal.Member;
import io.highwater.replication.ReplicaSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IsrSentencesTest {
    private static final ReplicaSettings SETTINGS = new ReplicaSettings(2, 30_000, 500);

    @Test
    void aFollowerThatLagsLeaves() {
        assertThat(sentence(Cause.LAGGING, new FollowerView(3, 0, 5_000, 30_112, 512), 1, 2))
                .isEqualTo("Shrinking ISR from 1,2,3 to 1,2: follower 3 last fetched 512 ms ago at offset 5000,"
                        + " last caught up 30112 ms ago, leader end 5300, high watermark 5000, limit 30000 ms");
    }

    @Test
    void aFollowerWhoseConnectionBrokeLeaves() {
        assertThat(sentence(Cause.DISCONNECTED, new FollowerView(3, 0, 5_300, 0, 512), 1, 2))
                .isEqualTo("Shrinking ISR from 1,2,3 to 1,2: follower 3 last fetched 512 ms ago at offset 5300,"
                        + " leader end 5300, high watermark 5000, its connection is gone, grace 500 ms");
    }

    @Test
    void aFollowerThatNeverCameLeaves() {
        assertThat(sentence(Cause.LAGGING, new FollowerView(3, -1, -1, -1, -1), 1, 2))
                .isEqualTo("Shrinking ISR from 1,2,3 to 1,2: follower 3 has not fetched from this leader,"
                        + " leader end 5300, high watermark 5000, limit 30000 ms");
    }

    @Test
    void aFollowerThatHasCaughtUpJoins() {
        assertThat(sentence(Cause.CAUGHT_UP, new FollowerView(3, 0, 5_300, 0, 0), 1, 2, 3))
                .isEqualTo("Expanding ISR from 1,2 to 1,2,3: follower 3 last fetched 0 ms ago at offset 5300,"
                        + " leader end 5300, high watermark 5000");
    }

    private static String sentence(Cause cause, FollowerView who, int... wanted) {
        List<Member> members = new ArrayList<>();
        for (int id : wanted) {
            members.add(new Member(id, -1));
        }
        return IsrSentences.wanted(
                new InSyncReplicasProposal(7, 3, members, cause, List.of(who), 5_300, 5_000), SETTINGS);
    }
}
