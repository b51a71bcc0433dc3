package io.highwater.coordination.group;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocolCollection;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.utils.Utils;

/** Asks a {@link GroupCoordination} what a client of one group would ask, and waits for the answers. */
final class GroupClient {
    private final GroupCoordination groups;
    private final String groupId;

    GroupClient(GroupCoordination groups, String groupId) {
        this.groups = groups;
        this.groupId = groupId;
    }

    static Caller caller(ApiKeys api) {
        return new Caller(
                api,
                api.latestVersion(),
                "client",
                InetAddress.getLoopbackAddress(),
                KafkaPrincipal.ANONYMOUS,
                "PLAINTEXT",
                SecurityProtocol.PLAINTEXT,
                1);
    }

    static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(20, SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    CompletableFuture<JoinGroupResponseData> join(String memberId) {
        byte[] subscription = Utils.toArray(
                ConsumerProtocol.serializeSubscription(new ConsumerPartitionAssignor.Subscription(List.of("orders"))));
        JoinGroupRequestProtocolCollection protocols = new JoinGroupRequestProtocolCollection();
        protocols.add(new JoinGroupRequestProtocol().setName("range").setMetadata(subscription));
        return groups.joinGroup(
                caller(ApiKeys.JOIN_GROUP),
                new JoinGroupRequestData()
                        .setGroupId(groupId)
                        .setMemberId(memberId)
                        .setSessionTimeoutMs(6_000)
                        .setRebalanceTimeoutMs(6_000)
                        .setProtocolType("consumer")
                        .setProtocols(protocols));
    }

    /** Joins as a new member would: without an id, then with the one it was given. */
    JoinGroupResponseData joinAsNew() {
        return await(join(await(join("")).memberId()));
    }

    SyncGroupResponseData syncAsLeader(JoinGroupResponseData joined) {
        return await(groups.syncGroup(
                caller(ApiKeys.SYNC_GROUP),
                new SyncGroupRequestData()
                        .setGroupId(groupId)
                        .setMemberId(joined.memberId())
                        .setGenerationId(joined.generationId())
                        .setProtocolType("consumer")
                        .setProtocolName("range")
                        .setAssignments(List.of(new SyncGroupRequestAssignment()
                                .setMemberId(joined.memberId())
                                .setAssignment(new byte[] {7})))));
    }

    Errors heartbeat(String memberId, int generation) {
        return Errors.forCode(await(groups.heartbeat(
                        caller(ApiKeys.HEARTBEAT),
                        new HeartbeatRequestData()
                                .setGroupId(groupId)
                                .setMemberId(memberId)
                                .setGenerationId(generation)))
                .errorCode());
    }

    Errors leave(String memberId) {
        return Errors.forCode(await(groups.leaveGroup(
                        caller(ApiKeys.LEAVE_GROUP),
                        new LeaveGroupRequestData()
                                .setGroupId(groupId)
                                .setMembers(List.of(new MemberIdentity().setMemberId(memberId)))))
                .errorCode());
    }

    ConsumerGroupHeartbeatResponseData joinConsumerGroup(String memberId, String topic) {
        return await(groups.consumerGroupHeartbeat(
                caller(ApiKeys.CONSUMER_GROUP_HEARTBEAT),
                new ConsumerGroupHeartbeatRequestData()
                        .setGroupId(groupId)
                        .setMemberId(memberId)
                        .setMemberEpoch(0)
                        .setRebalanceTimeoutMs(6_000)
                        .setSubscribedTopicNames(List.of(topic))
                        .setTopicPartitions(List.of())));
    }

    ConsumerGroupHeartbeatResponseData beat(String memberId, int memberEpoch) {
        return await(groups.consumerGroupHeartbeat(
                caller(ApiKeys.CONSUMER_GROUP_HEARTBEAT),
                new ConsumerGroupHeartbeatRequestData()
                        .setGroupId(groupId)
                        .setMemberId(memberId)
                        .setMemberEpoch(memberEpoch)));
    }

    CompletableFuture<Errors> commitLater(String topic, Uuid topicId, long offset) {
        return groups.commitOffsets(
                        caller(ApiKeys.OFFSET_COMMIT),
                        new OffsetCommitRequestData()
                                .setGroupId(groupId)
                                .setTopics(List.of(new OffsetCommitRequestTopic()
                                        .setName(topic)
                                        .setTopicId(topicId)
                                        .setPartitions(List.of(new OffsetCommitRequestPartition()
                                                .setPartitionIndex(0)
                                                .setCommittedOffset(offset)
                                                .setCommittedMetadata("note"))))))
                .thenApply(answer -> Errors.forCode(
                        answer.topics().get(0).partitions().get(0).errorCode()));
    }

    Errors commit(String topic, Uuid topicId, long offset) {
        return await(commitLater(topic, topicId, offset));
    }

    /** The committed offset of partition 0, or -1. */
    long committed(String topic, Uuid topicId) {
        return await(groups.fetchOffsets(
                        caller(ApiKeys.OFFSET_FETCH),
                        new OffsetFetchRequestGroup()
                                .setGroupId(groupId)
                                .setTopics(List.of(new OffsetFetchRequestTopics()
                                        .setName(topic)
                                        .setTopicId(topicId)
                                        .setPartitionIndexes(List.of(0)))),
                        false))
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .committedOffset();
    }

    Errors fetchError() {
        return await(fetchErrorLater());
    }

    CompletableFuture<Errors> fetchErrorLater() {
        return groups.fetchOffsets(
                        caller(ApiKeys.OFFSET_FETCH), new OffsetFetchRequestGroup().setGroupId(groupId), false)
                .thenApply(answer -> Errors.forCode(answer.errorCode()));
    }

    Errors delete() {
        return Errors.forCode(await(groups.deleteGroups(caller(ApiKeys.DELETE_GROUPS), List.of(groupId)))
                .find(groupId)
                .errorCode());
    }
}
