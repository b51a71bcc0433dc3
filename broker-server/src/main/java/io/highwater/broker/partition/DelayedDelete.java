package io.highwater.broker.partition;

import io.highwater.broker.metrics.WaitMetrics;
import io.vertx.core.Promise;
import org.apache.kafka.common.protocol.Errors;

/** A DeleteRecords that waits for the followers to drop their heads as well. */
final class DelayedDelete extends AwaitedOffset {
    private final PartitionMonitor monitor;
    private final WaitMetrics metrics;
    private final Promise<DeleteRecordsOutcome> promise = Promise.promise();

    DelayedDelete(PartitionMonitor monitor, WaitMetrics metrics, long beforeOffset) {
        super(beforeOffset);
        this.monitor = monitor;
        this.metrics = metrics;
        metrics.deleteRecords().parked();
    }

    Promise<DeleteRecordsOutcome> promise() {
        return promise;
    }

    @Override
    void complete(Errors error) {
        metrics.deleteRecords().answered();
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
