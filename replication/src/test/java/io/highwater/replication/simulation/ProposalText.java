package io.highwater.replication.simulation;

import io.highwater.replication.FollowerView;
import io.highwater.replication.InSyncReplicasProposal;
import java.util.ArrayList;
import java.util.List;

/** A proposal as people want to read it; made when it is read. */
record ProposalText(InSyncReplicasProposal proposal) {
    @Override
    public String toString() {
        List<Integer> members = new ArrayList<>();
        proposal.members().forEach(member -> members.add(member.replicaId()));
        StringBuilder text = new StringBuilder(members + " because");
        String separator = " ";
        for (FollowerView follower : proposal.evidence()) {
            text.append(separator)
                    .append(follower.replicaId())
                    .append(
                            switch (proposal.cause()) {
                                case LAGGING -> " lags";
                                case DISCONNECTED -> " is disconnected";
                                case CAUGHT_UP -> " has caught up";
                            });
            text.append(": at ").append(follower.logEndOffset()).append(" of ").append(proposal.logEndOffset());
            text.append(follower.silentMs() < 0 ? ", silent" : ", last heard of " + follower.silentMs() + " ms ago");
            separator = "; ";
        }
        return text.toString();
    }
}
