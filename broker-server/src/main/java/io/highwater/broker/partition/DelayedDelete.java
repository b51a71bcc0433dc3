package io.highwater.broker.partition;

import io.vertx.core.Promise;
import org.apache.kafka.common.protocol.Errors;

/** A DeleteRecords that waits for the followers to drop their heads as well. */
final class DelayedDelete extends AwaitedOffset {
    private final Partition partition;
    private final Promise<DeleteRecordsOutcome> promise = Promise.promise();

    DelayedDelete(Partition partition, long beforeOffset) {
        super(beforeOffset);
        this.partition = partition;
    }

    Promise<DeleteRecordsOutcome> promise() {
        return promise;
    }

    @Override
    void complete(Errors error) {
        promise.complete(
                error == Errors.NONE
                        ? new DeleteRecordsOutcome(Errors.NONE, partition.lowWatermark())
                        : DeleteRecordsOutcome.refused(error));
    }

    @Override
    protected void onPassed() {
        partition.onTimedOut(this);
    }
}
