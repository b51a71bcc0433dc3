package io.highwater.broker.group;

import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import io.highwater.coordination.group.TopicsView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** One image of the cluster as group assignment sees it. */
record ImageTopics(ClusterImage image) implements TopicsView {
    @Override
    public Collection<Uuid> topicIds() {
        List<Uuid> ids = new ArrayList<>();
        image.topics().forEach(topic -> ids.add(topic.id()));
        return ids;
    }

    @Override
    public @Nullable TopicShape topic(Uuid id) {
        TopicView topic = image.topic(id);
        return topic == null
                ? null
                : new TopicShape(
                        id,
                        topic.name(),
                        topic.partitions().stream().map(PartitionView::replicas).toList());
    }

    @Override
    public @Nullable String rackOf(int brokerId) {
        BrokerView broker = image.broker(brokerId);
        return broker == null ? null : broker.rack();
    }

    @Override
    public Collection<Integer> brokers() {
        return image.brokers().stream().map(BrokerView::id).toList();
    }

    @Override
    public long version() {
        return image.offset();
    }
}
