package io.highwater.broker.api.fetch;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;

/**
 * What a fetch wants of one partition.
 *
 * @param topic its name; empty from v13 on
 * @param topicId its topic's id; zero before v13
 * @param index of the partition
 * @param fetchOffset first offset wanted
 * @param maxBytes of this partition
 * @param currentLeaderEpoch the reign the reader believes in, -1 if it does not say
 * @param lastFetchedEpoch leader epoch of the reader's last record, -1 if it does not say
 * @param logStartOffset the first offset a follower keeps, -1 for consumers
 * @param knownHighWatermark the high watermark a follower knows, from v18 on; the largest number if it does not say
 */
record Wanted(
        String topic,
        Uuid topicId,
        int index,
        long fetchOffset,
        int maxBytes,
        int currentLeaderEpoch,
        int lastFetchedEpoch,
        long logStartOffset,
        long knownHighWatermark) {

    static Wanted of(String topic, Uuid topicId, FetchPartition asked) {
        return new Wanted(
                topic,
                topicId,
                asked.partition(),
                asked.fetchOffset(),
                asked.partitionMaxBytes(),
                asked.currentLeaderEpoch(),
                asked.lastFetchedEpoch(),
                asked.logStartOffset(),
                asked.highWatermark());
    }

    Key key() {
        return new Key(topic, topicId, index);
    }

    /** Which partition, by name or by id: one of the two is empty throughout a session. */
    record Key(String topic, Uuid topicId, int index) {}
}
