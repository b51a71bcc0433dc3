package io.highwater.storage.producer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Looks through the end of a log for the batches of known producers that no snapshot tells of. The log's owner's; used once. */
public final class ProducerRecall {
    private final Map<Long, ProducerState> producers;
    private final Map<Long, Deque<AppendedBatch>> found = new HashMap<>();

    ProducerRecall(Map<Long, ProducerState> producers) {
        this.producers = producers;
    }

    /** A batch of the log; in the log's order, and none beyond what the producers' state covers. */
    public void onBatch(RecordBatch batch) {
        if (!batch.hasProducerId() || batch.isControlBatch()) {
            return;
        }
        ProducerState state = producers.get(batch.producerId());
        if (state == null || state.epoch != batch.producerEpoch()) {
            return;
        }
        Deque<AppendedBatch> newest = found.computeIfAbsent(batch.producerId(), id -> new ArrayDeque<>());
        newest.add(AppendedBatch.of(ProducerBatch.of(batch)));
        if (newest.size() > ProducerState.BATCHES_REMEMBERED) {
            newest.remove();
        }
    }

    /** All has been seen: the producers remember. */
    public void finish() {
        found.forEach((producerId, newest) -> {
            ProducerState state = producers.get(producerId);
            if (state != null) {
                state.recall(newest);
            }
        });
    }
}
