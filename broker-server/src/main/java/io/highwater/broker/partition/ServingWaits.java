package io.highwater.broker.partition;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;

/** Those who wait for a partition to be led here. Each is bounded by its deadline. Any thread. */
final class ServingWaits {
    private final Deadlines deadlines;
    private final Map<TopicPartition, List<Wait>> waiting = new ConcurrentHashMap<>();

    ServingWaits(Deadlines deadlines) {
        this.deadlines = deadlines;
    }

    private final class Wait extends Deadlines.Deadline {
        final Promise<Boolean> promise = Promise.promise();
        private final TopicPartition partition;

        Wait(TopicPartition partition) {
            this.partition = partition;
        }

        @Override
        protected void onPassed() {
            if (promise.tryComplete(false)) {
                waiting.computeIfPresent(
                        partition, (key, waits) -> waits.remove(this) && waits.isEmpty() ? null : waits);
            }
        }
    }

    Future<Boolean> await(TopicPartition partition, long timeoutMs, BooleanSupplier isServing) {
        if (isServing.getAsBoolean()) {
            return Future.succeededFuture(true);
        }
        Wait wait = new Wait(partition);
        waiting.compute(partition, (key, waits) -> {
            List<Wait> all = waits == null ? new CopyOnWriteArrayList<>() : waits;
            all.add(wait);
            return all;
        });
        deadlines.set(wait, timeoutMs); // not before it is there to be taken out again
        if (isServing.getAsBoolean()) {
            onServing(partition);
        }
        return wait.promise.future();
    }

    void onServing(TopicPartition partition) {
        List<Wait> done = waiting.isEmpty() ? null : waiting.remove(partition);
        if (done != null) {
            for (Wait wait : done) {
                deadlines.cancel(wait);
                wait.promise.tryComplete(true);
            }
        }
    }
}
