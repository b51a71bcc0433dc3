package io.highwater.testkit;

import io.highwater.broker.api.ApiRequest;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AlterPartitionRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/** Which topics a request has to do with. Remembers those of fetch sessions, since a Fetch only says what has changed. Any thread. */
final class RequestTopics {
    private static final Set<ApiKeys> KNOWN = EnumSet.of(
            ApiKeys.PRODUCE,
            ApiKeys.FETCH,
            ApiKeys.LIST_OFFSETS,
            ApiKeys.METADATA,
            ApiKeys.OFFSET_COMMIT,
            ApiKeys.OFFSET_FOR_LEADER_EPOCH,
            ApiKeys.CREATE_TOPICS,
            ApiKeys.DELETE_RECORDS,
            ApiKeys.ALTER_PARTITION);

    private final Function<Uuid, @Nullable String> names;
    private final Map<String, Set<Topic>> fetched = new ConcurrentHashMap<>();

    /** Either may be missing. */
    private record Topic(@Nullable String name, Uuid id) {}

    /** @param names of topics, by id */
    RequestTopics(Function<Uuid, @Nullable String> names) {
        this.names = names;
    }

    static void requireKnown(ApiKeys api) {
        if (!KNOWN.contains(api)) {
            throw new IllegalArgumentException(
                    "requests of " + api.name + " cannot be told by topic; known are " + KNOWN);
        }
    }

    /** Forgets all sessions. */
    void clear() {
        fetched.clear();
    }

    Set<String> of(ApiRequest request) {
        ApiMessage body = request.body();
        if (body instanceof FetchRequestData fetch) {
            return named(ofFetch(request.client().connectionId(), fetch).stream());
        }
        return KNOWN.contains(request.api()) ? named(topics(body)) : Set.of();
    }

    /** A session belongs to one connection, as all known clients use it. */
    private Set<Topic> ofFetch(String connection, FetchRequestData fetch) {
        Set<Topic> now = fetch.topics().stream()
                .map(topic -> new Topic(topic.topic(), topic.topicId()))
                .collect(Collectors.toCollection(HashSet::new));
        if (fetch.sessionEpoch() > 0) {
            now.addAll(fetched.getOrDefault(connection, Set.of()));
            // A topic of which only some partitions are forgotten stays.
        }
        if (fetch.sessionEpoch() >= 0) {
            fetched.put(connection, now);
        }
        return now;
    }

    private static Stream<Topic> topics(ApiMessage body) {
        if (body instanceof ProduceRequestData produce) {
            return produce.topicData().stream().map(topic -> new Topic(topic.name(), topic.topicId()));
        } else if (body instanceof AlterPartitionRequestData alter) {
            return alter.topics().stream().map(topic -> new Topic(null, topic.topicId()));
        } else if (body instanceof ListOffsetsRequestData list) {
            return list.topics().stream().map(topic -> new Topic(topic.name(), Uuid.ZERO_UUID));
        } else if (body instanceof MetadataRequestData metadata) {
            return metadata.topics() == null
                    ? Stream.of()
                    : metadata.topics().stream().map(topic -> new Topic(topic.name(), topic.topicId()));
        } else if (body instanceof OffsetCommitRequestData commit) {
            return commit.topics().stream().map(topic -> new Topic(topic.name(), topic.topicId()));
        } else if (body instanceof OffsetForLeaderEpochRequestData epochs) {
            return epochs.topics().stream().map(topic -> new Topic(topic.topic(), Uuid.ZERO_UUID));
        } else if (body instanceof CreateTopicsRequestData create) {
            return create.topics().stream().map(topic -> new Topic(topic.name(), Uuid.ZERO_UUID));
        } else if (body instanceof DeleteRecordsRequestData delete) {
            return delete.topics().stream().map(topic -> new Topic(topic.name(), Uuid.ZERO_UUID));
        }
        return Stream.of();
    }

    private Set<String> named(Stream<Topic> topics) {
        return topics.map(this::name).filter(name -> !name.isEmpty()).collect(Collectors.toSet());
    }

    private String name(Topic topic) {
        String name = topic.name;
        if (name == null || name.isEmpty()) {
            name = topic.id.equals(Uuid.ZERO_UUID) ? null : names.apply(topic.id);
        }
        return name == null ? "" : name;
    }
}
