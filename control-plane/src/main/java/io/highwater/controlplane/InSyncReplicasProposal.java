package io.highwater.controlplane;

import java.util.List;
import org.apache.kafka.common.Uuid;

/**
 * A leader's wish to change the in-sync replicas of its partition.
 *
 * @param topicId the topic
 * @param partition the partition within it
 * @param leaderEpoch the reign in which the wish was made
 * @param partitionEpoch the version of the ISR it starts from
 * @param members the wished ISR
 */
public record InSyncReplicasProposal(
        Uuid topicId, int partition, int leaderEpoch, int partitionEpoch, List<Member> members) {

    /** The broker epoch of a member whose epoch the leader does not know. */
    public static final long UNKNOWN_BROKER_EPOCH = -1;

    public InSyncReplicasProposal {
        members = List.copyOf(members);
    }

    /**
     * One replica of the wished ISR.
     *
     * @param brokerId its broker
     * @param brokerEpoch the registration that the leader has seen fetching, or {@link #UNKNOWN_BROKER_EPOCH}
     */
    public record Member(int brokerId, long brokerEpoch) {}
}
