package io.highwater.broker.partition;

import io.vertx.core.Promise;
import org.apache.kafka.common.protocol.Errors;

/** A DeleteRecords that waits for the followers to drop their heads as well. */
final class DelayedDelete extends AwaitedOffset {
    private final PartitionMonitor monitor;
    private final Promise<DeleteRecordsOutcome> promise = Promise.promise();

    DelayedDelete(PartitionMonitor monitor, long beforeOffset) {
        super(beforeOffset);
        this.monitor = monitor;
    }

    Promise<DeleteRecordsOutcome> promise() {
        return promise;
    }

    @Override
    void complete(Errors error) {
        promise.complete(
                error == Errors.NONE
                        ? new DeleteRecordsOutcome(Errors.NONE, monitor.ask(monitor.role()::lowWatermark))
                        : DeleteRecordsOutcome.refused(error));
    }

    @Override
    protected void onPassed() {
        monitor.onTimedOut(this);
    }
}
