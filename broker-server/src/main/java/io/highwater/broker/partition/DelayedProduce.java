package io.highwater.broker.partition;

import io.vertx.core.Promise;
import org.apache.kafka.common.protocol.Errors;

/** A write with acks=-1 that is in the leader's log and waits for the other in-sync replicas. */
final class DelayedProduce extends AwaitedOffset {
    private final PartitionMonitor monitor;
    private final AppendOutcome outcome;
    private final Promise<AppendOutcome> promise = Promise.promise();

    DelayedProduce(PartitionMonitor monitor, AppendOutcome outcome) {
        super(outcome.nextOffset());
        this.monitor = monitor;
        this.outcome = outcome;
    }

    Promise<AppendOutcome> promise() {
        return promise;
    }

    @Override
    void complete(Errors error) {
        promise.complete(error == Errors.NONE ? outcome : outcome.withError(error));
    }

    @Override
    protected void onPassed() {
        monitor.onTimedOut(this);
    }
}
