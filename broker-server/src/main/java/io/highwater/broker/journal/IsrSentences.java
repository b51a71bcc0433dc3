package io.highwater.broker.journal;

import io.highwater.replication.FollowerView;
import io.highwater.replication.InSyncReplicasProposal;
import io.highwater.replication.InSyncReplicasProposal.Cause;
import io.highwater.replication.InSyncReplicasProposal.Member;
import io.highwater.replication.ReplicaSettings;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.protocol.Errors;

/** Why a leader wants other in-sync replicas, in a sentence. */
public final class IsrSentences {
    private IsrSentences() {}

    /** For example: {@code Shrinking ISR from 1,2,3 to 1,2: follower 3 last fetched 512 ms ago at offset 5000, leader end 5300, high watermark 5000, limit 30000 ms}. */
    public static String wanted(InSyncReplicasProposal proposal, ReplicaSettings settings) {
        boolean joins = proposal.cause() == Cause.CAUGHT_UP;
        Set<Integer> to = new TreeSet<>();
        for (Member member : proposal.members()) {
            to.add(member.replicaId());
        }
        Set<Integer> from = new TreeSet<>(to);
        if (joins) {
            proposal.replicas().forEach(from::remove);
        } else {
            from.addAll(proposal.replicas());
        }
        String who = proposal.evidence().stream().map(IsrSentences::follower).collect(Collectors.joining("; "));
        return (joins ? "Expanding" : "Shrinking") + " ISR from " + list(from) + " to " + list(to) + ": " + who
                + ", leader end " + proposal.logEndOffset() + ", high watermark " + proposal.highWatermark()
                + limit(proposal.cause(), settings);
    }

    /** For example: {@code ISR updated to 1,2 and partition epoch to 4; fewer than min.insync.replicas=3: acks=all is refused}. */
    public static String agreed(int partitionEpoch, Collection<Integer> inSyncReplicas, ReplicaSettings settings) {
        String text = "ISR updated to " + list(inSyncReplicas) + " and partition epoch to " + partitionEpoch;
        return inSyncReplicas.size() < settings.minInSyncReplicas()
                ? text + "; fewer than min.insync.replicas=" + settings.minInSyncReplicas() + ": acks=all is refused"
                : text;
    }

    /** What was wanted and why the controller said no. */
    public static String refused(InSyncReplicasProposal proposal, Errors error) {
        List<Integer> wanted =
                proposal.members().stream().map(Member::replicaId).toList();
        return "ISR " + list(wanted) + " of partition epoch " + proposal.partitionEpoch() + " was refused: " + error;
    }

    /** Replica ids as Kafka writes them: {@code 1,2,3}. */
    public static String list(Collection<Integer> replicas) {
        return replicas.stream().sorted().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static String follower(FollowerView follower) {
        if (follower.silentMs() < 0) {
            return "follower " + follower.replicaId() + " has not fetched from this leader";
        }
        String caughtUp = follower.lagMs() > 0 ? ", last caught up " + follower.lagMs() + " ms ago" : "";
        return "follower " + follower.replicaId() + " last fetched " + follower.silentMs() + " ms ago at offset "
                + follower.logEndOffset() + caughtUp;
    }

    private static String limit(Cause cause, ReplicaSettings settings) {
        return switch (cause) {
            case LAGGING -> ", limit " + settings.maxLagMs() + " ms";
            case DISCONNECTED -> ", its connection is gone, grace " + settings.disconnectGraceMs() + " ms";
            case CAUGHT_UP -> "";
        };
    }
}
