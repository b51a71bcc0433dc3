package io.highwater.broker.api.cluster;

import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Picks brokers that work. */
final class AliveBrokers {
    /** The id for "nobody". */
    static final int NONE = -1;

    private AliveBrokers() {}

    /**
     * Any broker that is not fenced, or {@link #NONE}. Clients are told of it as the controller: whatever broker they send an
     * administrative request to passes it on, and so the load is spread.
     */
    static int any(ClusterImage image) {
        List<Integer> ids = image.brokers().stream()
                .filter(broker -> !broker.fenced())
                .map(BrokerView::id)
                .toList();
        return ids.isEmpty() ? NONE : ids.get(ThreadLocalRandom.current().nextInt(ids.size()));
    }
}
