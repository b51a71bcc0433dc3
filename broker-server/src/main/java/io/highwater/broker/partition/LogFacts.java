package io.highwater.broker.partition;

import io.highwater.replication.EpochEnd;
import io.highwater.replication.ReplicaLog;
import io.highwater.storage.log.PartitionLog;

/** A log, as decisions see it. Any thread. */
record LogFacts(PartitionLog log) implements ReplicaLog {
    @Override
    public long logStartOffset() {
        return log.logStartOffset();
    }

    @Override
    public long logEndOffset() {
        return log.logEndOffset();
    }

    @Override
    public int latestEpoch() {
        return log.latestEpoch();
    }

    @Override
    public EpochEnd endOffsetFor(int epoch) {
        var end = log.endOffsetForEpoch(epoch);
        return new EpochEnd(end.epoch(), end.endOffset());
    }
}
