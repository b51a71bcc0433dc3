package io.highwater.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.loader.LogDeltaManifest;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.junit.jupiter.api.Test;

class ImagePublisherTest {
    private static final int PARTITIONS = 20_000;

    private final Uuid topicId = Uuid.randomUuid();
    private final ImagePublisher publisher = new ImagePublisher(offset -> {});

    /** In time that grows with their number, not with its square: that would be a minute. */
    @Test
    void allPartitionsOfALargeTopicMayChangeAtOnce() {
        MetadataImage created = publish(MetadataImage.EMPTY, created());
        long startNanos = cpuNanos();

        MetadataDelta moved = ledBy(created, 2);
        publish(created, moved);

        assertThat(TimeUnit.NANOSECONDS.toSeconds(cpuNanos() - startNanos)).isLessThan(5);
        Collection<PartitionChange> changes = publisher.changeOf(moved).changedPartitions();
        assertThat(changes).hasSize(PARTITIONS).allSatisfy(change -> {
            assertThat(change.before()).isNotNull();
            assertThat(change.after().leader()).isEqualTo(2);
        });
    }

    private MetadataDelta created() {
        MetadataDelta delta =
                new MetadataDelta.Builder().setImage(MetadataImage.EMPTY).build();
        delta.replay(new TopicRecord().setName("orders").setTopicId(topicId));
        for (int index = 0; index < PARTITIONS; index++) {
            delta.replay(new PartitionRecord()
                    .setTopicId(topicId)
                    .setPartitionId(index)
                    .setReplicas(List.of(1, 2))
                    .setIsr(List.of(1, 2))
                    .setLeader(1));
        }
        return delta;
    }

    private MetadataDelta ledBy(MetadataImage image, int leader) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        for (int index = 0; index < PARTITIONS; index++) {
            delta.replay(new PartitionChangeRecord()
                    .setTopicId(topicId)
                    .setPartitionId(index)
                    .setLeader(leader)
                    .setIsr(List.of(leader)));
        }
        return delta;
    }

    private MetadataImage publish(MetadataImage before, MetadataDelta delta) {
        MetadataProvenance provenance =
                new MetadataProvenance(before.provenance().lastContainedOffset() + 1, 1, 1, true);
        MetadataImage after = delta.apply(provenance);
        publisher.onMetadataUpdate(
                delta,
                after,
                new LogDeltaManifest.Builder()
                        .provenance(provenance)
                        .leaderAndEpoch(LeaderAndEpoch.UNKNOWN)
                        .numBatches(1)
                        .elapsedNs(1)
                        .numBytes(1)
                        .build());
        return after;
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
