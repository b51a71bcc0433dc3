package io.highwater.broker.partition;

import io.highwater.broker.metrics.Metrics;
import io.vertx.core.Promise;
import org.apache.kafka.common.protocol.Errors;

/** A write with acks=-1 that is in the leader's log and waits for the other in-sync replicas. */
final class DelayedProduce extends AwaitedOffset {
    private final PartitionMonitor monitor;
    private final AppendOutcome outcome;
    private final Metrics metrics;
    private final long appendedNanos = System.nanoTime();
    private final long parkedAtMs;
    private final Promise<AppendOutcome> promise = Promise.promise();

    /** @param nowMs monotonic */
    DelayedProduce(PartitionMonitor monitor, AppendOutcome outcome, Metrics metrics, long nowMs) {
        super(outcome.nextOffset());
        this.monitor = monitor;
        this.outcome = outcome;
        this.metrics = metrics;
        this.parkedAtMs = nowMs;
        metrics.waits().produce().parked();
    }

    /** Offset of its first record. */
    long baseOffset() {
        return outcome.baseOffset();
    }

    /** Since when it has waited, monotonic. */
    long parkedAtMs() {
        return parkedAtMs;
    }

    Promise<AppendOutcome> promise() {
        return promise;
    }

    @Override
    void complete(Errors error) {
        if (error == Errors.REQUEST_TIMED_OUT) {
            metrics.waits().produce().expired();
        } else {
            metrics.waits().produce().answered();
        }
        if (error == Errors.NONE) {
            metrics.replicas().committed(System.nanoTime() - appendedNanos);
        }
        promise.complete(error == Errors.NONE ? outcome : outcome.withError(error));
    }

    @Override
    protected void onPassed() {
        monitor.onTimedOut(this);
    }
}
