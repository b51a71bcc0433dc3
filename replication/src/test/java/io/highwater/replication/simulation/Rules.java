package io.highwater.replication.simulation;

import io.highwater.replication.FetchPosition;
import io.highwater.replication.FollowerReplica;
import io.highwater.replication.FollowerStep;
import io.highwater.replication.LeaderAnswer;
import io.highwater.replication.LeaderReplica;
import io.highwater.replication.Leadership;
import io.highwater.replication.LogBounds;
import io.highwater.replication.Membership;
import io.highwater.replication.ReplicaLog;
import io.highwater.replication.ReplicaSettings;
import org.jspecify.annotations.Nullable;

/** Where the brokers of a simulation take their decisions from: here, the code under test. {@link Sabotage} breaks one rule. */
public class Rules {
    /** As they are. */
    public static final Rules KAFKA = new Rules();

    /** A new leader. */
    public LeaderReplica lead(
            int id, Leadership leadership, Membership membership, ReplicaSettings settings, LogBounds log, long nowMs) {
        return new LeaderReplica(id, leadership, membership, settings, log, nowMs);
    }

    /** Where a new follower cuts its log before it asks for anything. */
    public long firstFetchOffset(FollowerReplica follower, ReplicaLog log) {
        return follower.firstFetchOffset(log.latestEpoch() != -1, log.logEndOffset());
    }

    /** A follower's next question. */
    public @Nullable FetchPosition ask(FollowerReplica follower, ReplicaLog log) {
        return follower.nextFetch(log);
    }

    /** What a follower makes of the answer. */
    public FollowerStep onAnswer(FollowerReplica follower, FetchPosition asked, LeaderAnswer answer, ReplicaLog log) {
        return follower.onAnswer(asked, answer, log);
    }
}
