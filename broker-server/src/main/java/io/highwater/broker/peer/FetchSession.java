package io.highwater.broker.peer;

import io.highwater.replication.FetchPosition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchMetadata;
import org.jspecify.annotations.Nullable;

/**
 * What a leader remembers of this follower's fetches, so that each request only has to say what is new. A full request begins a session; as
 * long as the leader grants none, every request is full. Belongs to its fetcher's event loop.
 */
final class FetchSession {
    private final int partitionMaxBytes;

    /** What the next request says of the session. */
    private FetchMetadata metadata = FetchMetadata.INITIAL;

    /** What the leader believes to be wanted, by what it calls it. */
    private final Map<Key, FollowedPartition> known = new HashMap<>();

    /** Which partition, as answers name it. */
    private record Key(Uuid topicId, int index) {
        static Key of(FollowedPartition followed) {
            return new Key(followed.topicId(), followed.index());
        }
    }

    FetchSession(int partitionMaxBytes) {
        this.partitionMaxBytes = partitionMaxBytes;
    }

    /** Whether the next request has to name everything. */
    boolean isFull() {
        return metadata.isFull();
    }

    /**
     * Writes into {@code request} what the leader has to know.
     *
     * @param wanted everybody who wants records, each with its {@link FollowedPartition#position()}; whoever is not among them is forgotten
     */
    void write(FetchRequestData request, Collection<FollowedPartition> wanted) {
        boolean full = metadata.isFull();
        request.setSessionId(metadata.sessionId()).setSessionEpoch(metadata.epoch());
        Map<Uuid, FetchTopic> topics = new LinkedHashMap<>();
        Map<Key, FollowedPartition> before = full ? new HashMap<>() : new HashMap<>(known);
        known.clear();
        for (FollowedPartition followed : wanted) {
            Key key = Key.of(followed);
            known.put(key, followed);
            FetchPosition position = followed.position();
            boolean same = before.remove(key) == followed && position.equals(followed.told());
            if (!same) {
                followed.tell(position);
                topics.computeIfAbsent(followed.topicId(), id -> new FetchTopic().setTopicId(id))
                        .partitions()
                        .add(partition(followed.index(), position));
            }
        }
        request.setTopics(new ArrayList<>(topics.values())).setForgottenTopicsData(forgotten(before.keySet()));
    }

    private FetchPartition partition(int index, FetchPosition position) {
        return new FetchPartition()
                .setPartition(index)
                .setCurrentLeaderEpoch(position.leaderEpoch())
                .setFetchOffset(position.fetchOffset())
                .setLastFetchedEpoch(position.lastFetchedEpoch())
                .setLogStartOffset(position.logStartOffset())
                .setHighWatermark(position.highWatermark())
                .setPartitionMaxBytes(partitionMaxBytes);
    }

    private static List<ForgottenTopic> forgotten(Collection<Key> keys) {
        Map<Uuid, ForgottenTopic> topics = new LinkedHashMap<>();
        for (Key key : keys) {
            topics.computeIfAbsent(key.topicId(), id -> new ForgottenTopic().setTopicId(id))
                    .partitions()
                    .add(key.index());
        }
        return new ArrayList<>(topics.values());
    }

    /**
     * The leader has answered; the session goes on, or begins anew.
     *
     * @return what it says of the session as a whole
     */
    Errors onAnswer(FetchResponseData answer) {
        Errors error = Errors.forCode(answer.errorCode());
        if (error == Errors.FETCH_SESSION_ID_NOT_FOUND) {
            metadata = FetchMetadata.INITIAL;
        } else if (error != Errors.NONE) {
            metadata = metadata.nextCloseExistingAttemptNew();
        } else if (metadata.isFull()) {
            metadata = answer.sessionId() == FetchMetadata.INVALID_SESSION_ID
                    ? FetchMetadata.INITIAL
                    : FetchMetadata.newIncremental(answer.sessionId());
        } else {
            metadata = metadata.nextIncremental();
        }
        return error;
    }

    /** No answer came, and so nobody knows what the leader knows. */
    void onFailed() {
        metadata = metadata.nextCloseExistingAttemptNew();
    }

    /** Who asked for that partition in the last request, or null. */
    @Nullable
    FollowedPartition asked(Uuid topicId, int index) {
        return known.get(new Key(topicId, index));
    }
}
