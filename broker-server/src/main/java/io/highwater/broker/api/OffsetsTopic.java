package io.highwater.broker.api;

import io.highwater.controlplane.Caller;
import io.highwater.controlplane.ControlPlane;
import io.highwater.coordination.group.GroupCoordination;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets the controller create {@code __consumer_offsets} when it is first needed: one request at a time. Any thread. */
final class OffsetsTopic {
    static final String NAME = Topic.GROUP_METADATA_TOPIC_NAME;

    private static final Logger LOG = LoggerFactory.getLogger(OffsetsTopic.class);

    private final GroupCoordination groups;
    private final Creator controller;
    private final int timeoutMs;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile @Nullable String lastRefusal;

    OffsetsTopic(GroupCoordination groups, Creator controller, int timeoutMs) {
        this.groups = groups;
        this.controller = controller;
        this.timeoutMs = timeoutMs;
    }

    /** Brings a CreateTopics request to the controller. */
    @FunctionalInterface
    interface Creator {
        CompletionStage<ApiMessage> create(CreateTopicsRequestData request);
    }

    static Creator through(ControlPlane controlPlane) {
        return request -> controlPlane.forward(
                ApiKeys.CREATE_TOPICS, ApiKeys.CREATE_TOPICS.latestVersion(), request, Caller.self());
    }

    /** Why the last attempt failed, for the client that waits for it; null if it did not. */
    @Nullable
    String lastRefusal() {
        return lastRefusal;
    }

    /** Asks for the topic, unless that is under way. Does not wait. */
    void create() {
        if (!asking.compareAndSet(false, true)) {
            return;
        }
        controller.create(request()).whenComplete((answer, failure) -> {
            asking.set(false);
            note(failure == null ? refusalIn(answer) : failure.toString());
        });
    }

    private CreateTopicsRequestData request() {
        CreatableTopic topic = new CreatableTopic()
                .setName(NAME)
                .setNumPartitions(groups.offsetsTopicPartitions())
                .setReplicationFactor(groups.offsetsTopicReplicationFactor());
        groups.offsetsTopicConfigs()
                .forEach((name, value) -> topic.configs()
                        .add(new CreatableTopicConfig().setName(name).setValue(value)));
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTimeoutMs(timeoutMs);
        request.topics().add(topic);
        return request;
    }

    private static @Nullable String refusalIn(ApiMessage answer) {
        CreatableTopicResult result =
                ((CreateTopicsResponseData) answer).topics().find(NAME);
        Errors error = result == null ? Errors.UNKNOWN_SERVER_ERROR : Errors.forCode(result.errorCode());
        if (result == null || error == Errors.NONE || error == Errors.TOPIC_ALREADY_EXISTS) {
            return result == null ? error.message() : null;
        }
        return result.errorMessage() == null ? error.message() : result.errorMessage();
    }

    /** Clients ask again and again while it fails, so the same reason is logged once. */
    private void note(@Nullable String refusal) {
        if (refusal != null && !refusal.equals(lastRefusal)) {
            LOG.warn("Groups cannot be used yet, {} cannot be created: {}", NAME, refusal);
        }
        lastRefusal = refusal;
    }
}
