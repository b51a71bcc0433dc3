package io.highwater.controlplane;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.metadata.PartitionRegistration;
import org.jspecify.annotations.Nullable;

/**
 * Views of topics, made once per version of a topic: the library shares a topic's object between images as long as nothing in it
 * changes, and so do we. For every thread.
 */
final class TopicViews {
    private final Map<Uuid, Made> made = new ConcurrentHashMap<>();

    private record Made(TopicImage from, TopicView view) {}

    @Nullable
    TopicView of(@Nullable TopicImage topic) {
        return topic == null ? null : existing(topic);
    }

    TopicView existing(TopicImage topic) {
        Made known = made.get(topic.id());
        if (known != null && sameVersion(known.from, topic)) {
            return known.view;
        }
        TopicView view = new TopicView(topic.name(), topic.id(), partitions(topic));
        made.put(topic.id(), new Made(topic, view));
        return view;
    }

    // Identity, because equality would compare every partition.
    @SuppressWarnings("ReferenceEquality")
    private static boolean sameVersion(TopicImage one, TopicImage other) {
        return one == other;
    }

    /** Forgets topics that are gone. An old image may still make them again; they are forgotten with the next deletion. */
    void forget(Collection<Uuid> deleted) {
        deleted.forEach(made::remove);
    }

    private static List<PartitionView> partitions(TopicImage topic) {
        int count = topic.partitions().size();
        List<PartitionView> views = new ArrayList<>(count);
        for (int index = 0; index < count; index++) {
            PartitionRegistration partition = topic.partitions().get(index);
            if (partition == null) {
                throw new IllegalStateException(
                        "partition " + index + " of " + count + " is missing in " + topic.name());
            }
            views.add(view(topic.name(), topic.id(), index, partition));
        }
        return views;
    }

    private static PartitionView view(String topic, Uuid topicId, int index, PartitionRegistration partition) {
        return new PartitionView(
                topic,
                topicId,
                index,
                partition.leader,
                partition.leaderEpoch,
                partition.partitionEpoch,
                list(partition.replicas),
                list(partition.isr),
                list(partition.elr),
                list(partition.lastKnownElr),
                list(partition.addingReplicas),
                list(partition.removingReplicas),
                Arrays.asList(partition.directories),
                partition.leaderRecoveryState == LeaderRecoveryState.RECOVERING);
    }

    private static List<Integer> list(int[] ids) {
        return ids.length == 0
                ? Collections.emptyList()
                : IntStream.of(ids).boxed().toList();
    }
}
