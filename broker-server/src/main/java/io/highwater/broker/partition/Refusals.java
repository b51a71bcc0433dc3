package io.highwater.broker.partition;

import io.highwater.replication.ProposalAnswer;
import io.highwater.replication.Refusal;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** What a replica's refusal is called on the wire. */
final class Refusals {
    private Refusals() {}

    /** NONE for no refusal. */
    static Errors error(@Nullable Refusal refusal) {
        if (refusal == null) {
            return Errors.NONE;
        }
        return switch (refusal) {
            case NOT_LEADER, STALE_BROKER_EPOCH -> Errors.NOT_LEADER_OR_FOLLOWER;
            case FENCED_EPOCH -> Errors.FENCED_LEADER_EPOCH;
            case UNKNOWN_EPOCH, NOT_ASSIGNED -> Errors.UNKNOWN_LEADER_EPOCH;
            case OFFSET_OUT_OF_RANGE -> Errors.OFFSET_OUT_OF_RANGE;
            case NOT_ENOUGH_REPLICAS -> Errors.NOT_ENOUGH_REPLICAS;
            case NOT_ENOUGH_REPLICAS_AFTER_APPEND -> Errors.NOT_ENOUGH_REPLICAS_AFTER_APPEND;
        };
    }

    /** What a controller's refusal of other in-sync replicas means for the leader. */
    static ProposalAnswer answer(Errors error) {
        return switch (error) {
            case OPERATION_NOT_ATTEMPTED, INELIGIBLE_REPLICA -> ProposalAnswer.REJECTED;
            case UNKNOWN_TOPIC_OR_PARTITION,
                    UNKNOWN_TOPIC_ID,
                    FENCED_LEADER_EPOCH,
                    INVALID_UPDATE_VERSION,
                    INVALID_REQUEST,
                    NEW_LEADER_ELECTED -> ProposalAnswer.OVERTAKEN;
            default -> ProposalAnswer.UNDECIDED;
        };
    }
}
