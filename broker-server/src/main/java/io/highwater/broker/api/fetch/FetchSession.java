package io.highwater.broker.api.fetch;

import io.highwater.broker.api.Client;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchMetadata;
import org.apache.kafka.common.requests.FetchResponse;
import org.jspecify.annotations.Nullable;

/**
 * What a reader fetches again and again, so that it only has to say what changes. Used by one reader, but on several threads:
 * all methods are guarded by the session itself.
 */
final class FetchSession {
    private final int id;
    private final boolean byTopicId;

    /** In the order in which they are read: who got records goes to the end, so that none starves. */
    private final Map<Wanted.Key, SessionPartition> partitions = new LinkedHashMap<>();

    /** On whose connection it was last used; null until that matters. */
    private @Nullable Client client;

    private int nextEpoch = FetchMetadata.nextEpoch(FetchMetadata.INITIAL_EPOCH);

    FetchSession(int id, boolean byTopicId, List<Wanted> wanted) {
        this.id = id;
        this.byTopicId = byTopicId;
        for (Wanted one : wanted) {
            partitions.put(one.key(), new SessionPartition(one));
        }
    }

    int id() {
        return id;
    }

    /** Takes the changes of an incremental fetch, if it is the one that was expected: NONE, or why not. */
    synchronized Errors update(
            int epoch, boolean requestByTopicId, List<Wanted> wanted, List<ForgottenTopic> forgotten) {
        if (epoch != nextEpoch) {
            return Errors.INVALID_FETCH_SESSION_EPOCH;
        }
        if (requestByTopicId != byTopicId) {
            return Errors.FETCH_SESSION_TOPIC_ID_ERROR;
        }
        for (Wanted one : wanted) {
            SessionPartition known = partitions.get(one.key());
            if (known == null) {
                partitions.put(one.key(), new SessionPartition(one));
            } else {
                known.want(one);
            }
        }
        for (ForgottenTopic topic : forgotten) {
            for (int index : topic.partitions()) {
                partitions.remove(new Wanted.Key(topic.topic(), topic.topicId(), index));
            }
        }
        nextEpoch = FetchMetadata.nextEpoch(nextEpoch);
        return Errors.NONE;
    }

    /** All partitions, in the order to read them. */
    synchronized List<Wanted> wanted() {
        List<Wanted> all = new ArrayList<>(partitions.size());
        for (SessionPartition partition : partitions.values()) {
            all.add(partition.wanted());
        }
        return all;
    }

    /** Remembers what the reader is told of a partition; true if it is news, false if it may be left out of the answer. */
    synchronized boolean tell(Wanted wanted, PartitionData answer) {
        Wanted.Key key = wanted.key();
        SessionPartition partition = partitions.get(key);
        if (partition == null) {
            return false;
        }
        if (FetchResponse.recordsSize(answer) > 0) {
            partitions.remove(key);
            partitions.put(key, partition);
        }
        return partition.tell(answer);
    }

    /** It is used on that client's connection; true if it was on another one, or on none, before. */
    synchronized boolean moveTo(Client newClient) {
        boolean moved = !isOn(newClient);
        client = newClient;
        return moved;
    }

    synchronized boolean isOn(Client one) {
        return client != null && client.connectionId().equals(one.connectionId());
    }

    synchronized int size() {
        return partitions.size();
    }
}
