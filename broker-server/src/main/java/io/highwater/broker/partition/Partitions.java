package io.highwater.broker.partition;

import java.util.Collection;
import org.apache.kafka.common.Uuid;

/** The partitions hosted by this broker. Lookups from any thread, without a lock. */
@SuppressWarnings({"DoNotCallSuggester", "UnusedVariable"})
public final class Partitions {
    /** By topic name; the error of a miss is UNKNOWN_TOPIC_OR_PARTITION, NOT_LEADER_OR_FOLLOWER or KAFKA_STORAGE_ERROR. */
    public PartitionLookup lookup(String topic, int index) {
        throw new UnsupportedOperationException();
    }

    /** By topic id; as above, and UNKNOWN_TOPIC_ID if no topic has the id. */
    public PartitionLookup lookup(Uuid topicId, int index) {
        throw new UnsupportedOperationException();
    }

    /** True if this broker leads that partition and would take a write now: what CreateTopics waits for. */
    public boolean isServing(String topic, int index) {
        throw new UnsupportedOperationException();
    }

    /** All hosted partitions, a weakly consistent view. */
    public Collection<Partition> hosted() {
        throw new UnsupportedOperationException();
    }
}
