package io.highwater.broker.peer;

import io.highwater.replication.FetchPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListOffsetsRequest;

/** Asks a leader how far its logs of some partitions reach: first where they end, then where they start. On the connection's loop. */
final class LeaderBounds {
    private static final Reach UNANSWERED = new Reach(Errors.NETWORK_EXCEPTION, -1, -1);

    private final int nodeId;
    private final Map<FollowedPartition, FetchPosition> asked;
    private final Map<TopicPartition, Reach> reaches = new HashMap<>();

    /**
     * From {@code start} (inclusive) to {@code end} (exclusive), or why that is not known.
     */
    record Reach(Errors error, long start, long end) {}

    /** @param asked the fetches that were out of range */
    LeaderBounds(int nodeId, Map<FollowedPartition, FetchPosition> asked) {
        this.nodeId = nodeId;
        this.asked = asked;
    }

    /** Calls back once, whatever happens. */
    void ask(LeaderConnection leader, Consumer<LeaderBounds> then) {
        ask(leader, ListOffsetsRequest.LATEST_TIMESTAMP, () -> {});
        ask(leader, ListOffsetsRequest.EARLIEST_TIMESTAMP, () -> then.accept(this));
    }

    Reach of(FollowedPartition partition) {
        Reach reach = reaches.getOrDefault(partition.partition().topicPartition(), UNANSWERED);
        boolean whole = reach.start() >= 0 && reach.end() >= 0;
        return reach.error() == Errors.NONE && !whole ? UNANSWERED : reach;
    }

    private void ask(LeaderConnection leader, long timestamp, Runnable then) {
        leader.send(
                ApiKeys.LIST_OFFSETS, leader.versions().listOffsets(), request(timestamp), new PeerConnection.Answer() {
                    @Override
                    public void arrived(ApiMessage body) {
                        take((ListOffsetsResponseData) body, timestamp);
                        then.run();
                    }

                    @Override
                    public void failed(IOException cause) {
                        then.run();
                    }
                });
    }

    private ListOffsetsRequestData request(long timestamp) {
        Map<String, ListOffsetsTopic> topics = new LinkedHashMap<>();
        asked.forEach((followed, position) -> {
            TopicPartition name = followed.partition().topicPartition();
            topics.computeIfAbsent(name.topic(), topic -> new ListOffsetsTopic().setName(topic))
                    .partitions()
                    .add(new ListOffsetsPartition()
                            .setPartitionIndex(name.partition())
                            .setCurrentLeaderEpoch(position.leaderEpoch())
                            .setTimestamp(timestamp));
        });
        return new ListOffsetsRequestData().setReplicaId(nodeId).setTopics(new ArrayList<>(topics.values()));
    }

    private void take(ListOffsetsResponseData answer, long timestamp) {
        boolean end = timestamp == ListOffsetsRequest.LATEST_TIMESTAMP;
        for (var topic : answer.topics()) {
            for (var partition : topic.partitions()) {
                TopicPartition name = new TopicPartition(topic.name(), partition.partitionIndex());
                Reach before = reaches.getOrDefault(name, new Reach(Errors.NONE, -1, -1));
                Errors error = Errors.forCode(partition.errorCode());
                reaches.put(
                        name,
                        new Reach(
                                before.error() == Errors.NONE ? error : before.error(),
                                end ? before.start() : partition.offset(),
                                end ? partition.offset() : before.end()));
            }
        }
    }
}
