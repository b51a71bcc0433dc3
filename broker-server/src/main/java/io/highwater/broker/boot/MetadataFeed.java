package io.highwater.broker.boot;

import io.highwater.broker.api.configs.DynamicConfigListener;
import io.highwater.broker.group.GroupFeed;
import io.highwater.broker.metrics.TrafficMetrics;
import io.highwater.broker.partition.Partitions;
import io.highwater.controlplane.ImageChange;
import io.highwater.controlplane.ImageListener;
import io.highwater.controlplane.TopicView;
import io.highwater.coordination.group.GroupCoordination;
import org.apache.kafka.common.internals.Topic;

/**
 * Takes each change of the cluster to the rooms, in one order for all: requests see the new image already; the configuration comes before the
 * partitions that are made with it, groups learn of topics before they are elected for a partition. Metadata loader's thread.
 */
final class MetadataFeed implements ImageListener {
    private final DynamicConfigListener config;
    private final Partitions partitions;
    private final GroupCoordination groups;
    private final GroupFeed groupFeed;
    private final TrafficMetrics traffic;
    private final IsrWatch isrWatch;
    private boolean groupsStarted;
    private boolean stopped;

    MetadataFeed(
            DynamicConfigListener config,
            Partitions partitions,
            GroupCoordination groups,
            GroupFeed groupFeed,
            TrafficMetrics traffic,
            IsrWatch isrWatch) {
        this.config = config;
        this.partitions = partitions;
        this.groups = groups;
        this.groupFeed = groupFeed;
        this.traffic = traffic;
        this.isrWatch = isrWatch;
    }

    /** From now on changes are nobody's business: the rooms are closing. Waits for a change that is being told. */
    synchronized void stop() {
        stopped = true;
    }

    @Override
    public synchronized void onChange(ImageChange change) {
        if (stopped) {
            return;
        }
        isrWatch.onChange(change);
        config.onChange(change);
        if (!groupsStarted) {
            groupsStarted = true;
            TopicView offsets = change.after().topic(Topic.GROUP_METADATA_TOPIC_NAME);
            groups.startup(
                    offsets == null
                            ? groups.offsetsTopicPartitions()
                            : offsets.partitions().size());
        }
        groupFeed.onChange(change);
        partitions.onChange(change);
        forgetTraffic(change, traffic);
    }

    /** One that was created again under its name may be counted already, and goes on where the old one ended. */
    static void forgetTraffic(ImageChange change, TrafficMetrics traffic) {
        for (TopicView topic : change.deletedTopics()) {
            if (change.after().topic(topic.name()) == null) {
                traffic.forget(topic.name());
            }
        }
    }
}
