package io.highwater.broker.partition;

import io.highwater.broker.metrics.ReplicaMetrics;
import io.vertx.core.Promise;
import org.apache.kafka.common.protocol.Errors;

/** A write with acks=-1 that is in the leader's log and waits for the other in-sync replicas. */
final class DelayedProduce extends AwaitedOffset {
    private final PartitionMonitor monitor;
    private final AppendOutcome outcome;
    private final ReplicaMetrics metrics;
    private final long appendedNanos = System.nanoTime();
    private final Promise<AppendOutcome> promise = Promise.promise();

    DelayedProduce(PartitionMonitor monitor, AppendOutcome outcome, ReplicaMetrics metrics) {
        super(outcome.nextOffset());
        this.monitor = monitor;
        this.outcome = outcome;
        this.metrics = metrics;
    }

    Promise<AppendOutcome> promise() {
        return promise;
    }

    @Override
    void complete(Errors error) {
        if (error == Errors.NONE) {
            metrics.committed(System.nanoTime() - appendedNanos);
        }
        promise.complete(error == Errors.NONE ? outcome : outcome.withError(error));
    }

    @Override
    protected void onPassed() {
        monitor.onTimedOut(this);
    }
}
