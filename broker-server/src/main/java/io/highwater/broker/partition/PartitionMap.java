package io.highwater.broker.partition;

import io.highwater.controlplane.ClusterImage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Who is hosted here. Looked up by any thread without a lock or an allocation; changed under its monitor. Hot: {@link #lookup}. */
final class PartitionMap {
    private static final PartitionLookup UNKNOWN = PartitionLookup.refused(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    private static final PartitionLookup UNKNOWN_ID = PartitionLookup.refused(Errors.UNKNOWN_TOPIC_ID);
    private static final PartitionLookup ELSEWHERE = PartitionLookup.refused(Errors.NOT_LEADER_OR_FOLLOWER);
    private static final PartitionLookup OFFLINE = PartitionLookup.refused(Errors.KAFKA_STORAGE_ERROR);

    private final Supplier<ClusterImage> image;
    private final Map<String, Topic> byName = new ConcurrentHashMap<>();
    private final Map<Uuid, Topic> byId = new ConcurrentHashMap<>();

    /** @param image the newest; asked only about what is not hosted here */
    PartitionMap(Supplier<ClusterImage> image) {
        this.image = image;
    }

    /** A place in a topic: a partition, or the knowledge that it should be here but its directory is offline. */
    private record Slot(@Nullable Partition partition) {
        PartitionLookup lookup() {
            return partition == null ? OFFLINE : partition.lookup();
        }
    }

    /** The slots are replaced as a whole when one changes. */
    private static final class Topic {
        final String name;
        volatile @Nullable Slot[] slots = {};

        Topic(String name) {
            this.name = name;
        }

        @Nullable
        Slot slot(int index) {
            @Nullable Slot[] now = slots;
            return index >= 0 && index < now.length ? now[index] : null;
        }

        boolean isEmpty() {
            for (Slot slot : slots) {
                if (slot != null) {
                    return false;
                }
            }
            return true;
        }
    }

    PartitionLookup lookup(String name, int index) {
        Topic topic = byName.get(name);
        Slot slot = topic == null ? null : topic.slot(index);
        if (slot != null) {
            return slot.lookup();
        }
        return image.get().partition(name, index) == null ? UNKNOWN : ELSEWHERE;
    }

    PartitionLookup lookup(Uuid id, int index) {
        Topic topic = byId.get(id);
        Slot slot = topic == null ? null : topic.slot(index);
        if (slot != null) {
            PartitionLookup found = slot.lookup();
            // Deleted, and on its way out of this map.
            return found.error() == Errors.UNKNOWN_TOPIC_OR_PARTITION ? UNKNOWN_ID : found;
        }
        ClusterImage now = image.get();
        if (now.topic(id) == null) {
            return UNKNOWN_ID;
        }
        return now.partition(id, index) == null ? UNKNOWN : ELSEWHERE;
    }

    /** The partition, whatever its state, or null. */
    @Nullable
    Partition find(TopicPartition partition) {
        Topic topic = byName.get(partition.topic());
        Slot slot = topic == null ? null : topic.slot(partition.partition());
        return slot == null ? null : slot.partition();
    }

    /** Those of one topic. */
    List<Partition> ofTopic(String name) {
        List<Partition> found = new ArrayList<>();
        Topic topic = byName.get(name);
        if (topic != null) {
            addAll(topic, found);
        }
        return found;
    }

    /** How many should be here and are not because their directory is offline. */
    int offlineCount() {
        int count = 0;
        for (Topic topic : byName.values()) {
            for (Slot slot : topic.slots) {
                if (slot != null && slot.lookup().error() == Errors.KAFKA_STORAGE_ERROR) {
                    count++;
                }
            }
        }
        return count;
    }

    /** All, a weakly consistent view. */
    Collection<Partition> all() {
        List<Partition> found = new ArrayList<>();
        byName.values().forEach(topic -> addAll(topic, found));
        return found;
    }

    /** The one that was there before, or null if {@code partition} has the place now. */
    synchronized @Nullable Partition putIfAbsent(Partition partition) {
        Partition there = find(partition.topicPartition());
        if (there == null) {
            set(partition.topicPartition(), partition.topicId(), new Slot(partition));
        }
        return there;
    }

    synchronized void putOffline(TopicPartition partition, Uuid topicId) {
        set(partition, topicId, new Slot(null));
    }

    synchronized void remove(TopicPartition partition, Uuid topicId) {
        Topic topic = byId.get(topicId);
        if (topic == null || topic.slot(partition.partition()) == null) {
            return;
        }
        set(partition, topicId, null);
        if (topic.isEmpty()) {
            removeTopic(topicId);
        }
    }

    /** The topic is gone, and with it the places of those that could not be here. */
    synchronized void removeTopic(Uuid topicId) {
        Topic topic = byId.remove(topicId);
        if (topic != null) {
            byName.remove(topic.name, topic);
        }
    }

    private void set(TopicPartition partition, Uuid topicId, @Nullable Slot slot) {
        Topic topic = byId.computeIfAbsent(topicId, id -> new Topic(partition.topic()));
        @Nullable Slot[] before = topic.slots;
        @Nullable Slot[] after = new @Nullable Slot[Math.max(before.length, partition.partition() + 1)];
        System.arraycopy(before, 0, after, 0, before.length);
        after[partition.partition()] = slot;
        topic.slots = after;
        byName.put(topic.name, topic);
    }

    private static void addAll(Topic topic, List<Partition> found) {
        for (Slot slot : topic.slots) {
            if (slot != null && slot.partition() != null) {
                found.add(slot.partition());
            }
        }
    }
}
