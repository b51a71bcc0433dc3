package io.highwater.broker.peer;

import io.highwater.replication.EpochEnd;
import io.highwater.replication.LeaderAnswer;
import io.highwater.replication.Refusal;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** From the wire to what a follower understands. */
final class LeaderAnswers {
    private LeaderAnswers() {}

    static LeaderAnswer of(PartitionData data) {
        Errors error = Errors.forCode(data.errorCode());
        if (error != Errors.NONE) {
            return LeaderAnswer.refused(refusal(error));
        }
        int epoch = data.divergingEpoch().epoch();
        EpochEnd diverging =
                epoch < 0 ? null : new EpochEnd(epoch, data.divergingEpoch().endOffset());
        return new LeaderAnswer(null, data.highWatermark(), data.logStartOffset(), diverging);
    }

    static MemoryRecords records(PartitionData data) {
        return data.records() instanceof MemoryRecords records ? records : MemoryRecords.EMPTY;
    }

    /** Whatever is not understood is worth another try, after a while. */
    private static Refusal refusal(Errors error) {
        return switch (error) {
            case OFFSET_OUT_OF_RANGE -> Refusal.OFFSET_OUT_OF_RANGE;
            case FENCED_LEADER_EPOCH -> Refusal.FENCED_EPOCH;
            case UNKNOWN_LEADER_EPOCH -> Refusal.UNKNOWN_EPOCH;
            default -> Refusal.NOT_LEADER;
        };
    }
}
