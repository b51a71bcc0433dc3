package io.highwater.coordination.group;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** A view made by hand; {@link #with} and {@link #without} give the next moment. */
record FixedTopics(long version, Map<Uuid, TopicsView.TopicShape> topics, Map<Integer, String> racks)
        implements TopicsView {

    static FixedTopics none() {
        return new FixedTopics(0, Map.of(), Map.of(1, "a"));
    }

    FixedTopics with(Uuid id, String name, int partitions) {
        List<List<Integer>> replicas = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            replicas.add(List.of(1));
        }
        Map<Uuid, TopicShape> next = new HashMap<>(topics);
        next.put(id, new TopicShape(id, name, replicas));
        return new FixedTopics(version + 1, next, racks);
    }

    FixedTopics without(Uuid id) {
        Map<Uuid, TopicShape> next = new HashMap<>(topics);
        next.remove(id);
        return new FixedTopics(version + 1, next, racks);
    }

    @Override
    public Collection<Uuid> topicIds() {
        return topics.keySet();
    }

    @Override
    public @Nullable TopicShape topic(Uuid id) {
        return topics.get(id);
    }

    @Override
    public @Nullable String rackOf(int brokerId) {
        return racks.get(brokerId);
    }

    @Override
    public Collection<Integer> brokers() {
        return racks.keySet();
    }
}
