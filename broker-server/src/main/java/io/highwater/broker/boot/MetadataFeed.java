package io.highwater.broker.boot;

import io.highwater.broker.config.InvalidSettingException;
import io.highwater.broker.config.LiveConfig;
import io.highwater.broker.group.GroupFeed;
import io.highwater.broker.partition.Partitions;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ImageChange;
import io.highwater.controlplane.ImageListener;
import io.highwater.controlplane.TopicView;
import io.highwater.coordination.group.GroupCoordination;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.internals.Topic;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes each change of the cluster to the rooms, in one order for all: requests see the new image already; the configuration comes before the
 * partitions that are made with it, groups learn of topics before they are elected for a partition. Metadata loader's thread.
 */
final class MetadataFeed implements ImageListener {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataFeed.class);
    private static final ConfigResource ALL_BROKERS = new ConfigResource(ConfigResource.Type.BROKER, "");

    private final ConfigResource thisBroker;
    private final LiveConfig config;
    private final Partitions partitions;
    private final GroupCoordination groups;
    private final GroupFeed groupFeed;
    private boolean groupsStarted;

    MetadataFeed(int nodeId, LiveConfig config, Partitions partitions, GroupCoordination groups, GroupFeed groupFeed) {
        this.thisBroker = new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(nodeId));
        this.config = config;
        this.partitions = partitions;
        this.groups = groups;
        this.groupFeed = groupFeed;
    }

    @Override
    public void onChange(ImageChange change) {
        ClusterImage image = change.after();
        if (change.changedConfigs().contains(ALL_BROKERS)
                || change.changedConfigs().contains(thisBroker)) {
            configure(image);
        }
        if (!groupsStarted) {
            groupsStarted = true;
            TopicView offsets = image.topic(Topic.GROUP_METADATA_TOPIC_NAME);
            groups.startup(
                    offsets == null
                            ? groups.offsetsTopicPartitions()
                            : offsets.partitions().size());
        }
        groupFeed.onChange(change);
        partitions.onChange(change);
    }

    private void configure(ClusterImage image) {
        try {
            config.applyDynamic(image.config(ALL_BROKERS), image.config(thisBroker));
        } catch (InvalidSettingException e) {
            LOG.error("a changed setting cannot be taken, what held before still holds: {}", Reason.of(e));
        }
    }
}
