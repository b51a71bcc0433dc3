package io.highwater.controlplane;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.TopicDeletionDisabledException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.ListPartitionReassignmentsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.controller.Controller;

/** Topics and their partitions: create, delete, grow, elect, reassign. */
final class TopicRequests {
    /** From this version on a client understands that deletion is switched off. */
    private static final int FIRST_VERSION_WITH_DELETION_DISABLED = 3;

    private final Controller controller;
    private final boolean deletionEnabled;

    TopicRequests(Controller controller, boolean deletionEnabled) {
        this.controller = controller;
        this.deletionEnabled = deletionEnabled;
    }

    void addTo(Map<ApiKeys, ControllerApi> apis) {
        apis.put(ApiKeys.CREATE_TOPICS, this::create);
        apis.put(ApiKeys.DELETE_TOPICS, this::delete);
        apis.put(ApiKeys.CREATE_PARTITIONS, this::createPartitions);
        apis.put(ApiKeys.ELECT_LEADERS, call -> {
            ElectLeadersRequestData request = call.body(ElectLeadersRequestData.class);
            return controller.electLeaders(call.context(request.timeoutMs()), request);
        });
        apis.put(ApiKeys.ALTER_PARTITION_REASSIGNMENTS, call -> {
            AlterPartitionReassignmentsRequestData request = call.body(AlterPartitionReassignmentsRequestData.class);
            return controller.alterPartitionReassignments(call.context(request.timeoutMs()), request);
        });
        apis.put(
                ApiKeys.LIST_PARTITION_REASSIGNMENTS,
                call -> controller.listPartitionReassignments(
                        call.context(), call.body(ListPartitionReassignmentsRequestData.class)));
    }

    private CompletionStage<CreateTopicsResponseData> create(ControllerCall call) {
        CreateTopicsRequestData request =
                call.body(CreateTopicsRequestData.class).duplicate();
        Set<String> names = new HashSet<>();
        Set<String> duplicates = new HashSet<>();
        request.topics().forEach(topic -> (names.add(topic.name()) ? names : duplicates).add(topic.name()));
        names.removeAll(duplicates);
        boolean metadataTopic = names.remove(Topic.CLUSTER_METADATA_TOPIC_NAME);
        request.topics().removeIf(topic -> !names.contains(topic.name()));
        return controller
                .createTopics(call.context(request.timeoutMs()), request, names, call.forwarded())
                .thenApply(answer -> {
                    duplicates.forEach(name -> addRefusal(answer, name, "Duplicate topic name."));
                    if (metadataTopic) {
                        addRefusal(
                                answer,
                                Topic.CLUSTER_METADATA_TOPIC_NAME,
                                "Creation of internal topic " + Topic.CLUSTER_METADATA_TOPIC_NAME + " is prohibited.");
                    }
                    return answer;
                });
    }

    private static void addRefusal(CreateTopicsResponseData answer, String name, String why) {
        answer.topics()
                .add(new CreateTopicsResponseData.CreatableTopicResult()
                        .setName(name)
                        .setErrorCode(Errors.INVALID_REQUEST.code())
                        .setErrorMessage(why));
    }

    private CompletionStage<DeleteTopicsResponseData> delete(ControllerCall call) {
        if (!deletionEnabled) {
            throw call.header().apiVersion() < FIRST_VERSION_WITH_DELETION_DISABLED
                    ? new InvalidRequestException("Topic deletion is disabled.")
                    : new TopicDeletionDisabledException();
        }
        DeleteTopicsRequestData request = call.body(DeleteTopicsRequestData.class);
        return new TopicDeletion(controller, call.context(request.timeoutMs()))
                .run(request)
                .thenApply(results -> {
                    // In no order that would tell which were named and which were found.
                    List<DeleteTopicsResponseData.DeletableTopicResult> shuffled = new ArrayList<>(results);
                    Collections.shuffle(shuffled);
                    return new DeleteTopicsResponseData()
                            .setResponses(
                                    new DeleteTopicsResponseData.DeletableTopicResultCollection(shuffled.iterator()));
                });
    }

    private CompletionStage<CreatePartitionsResponseData> createPartitions(ControllerCall call) {
        CreatePartitionsRequestData request = call.body(CreatePartitionsRequestData.class);
        Set<String> names = new HashSet<>();
        Set<String> duplicates = new HashSet<>();
        request.topics().forEach(topic -> (names.add(topic.name()) ? names : duplicates).add(topic.name()));
        names.removeAll(duplicates);
        List<CreatePartitionsRequestData.CreatePartitionsTopic> topics = new ArrayList<>();
        request.topics().forEach(topic -> {
            if (names.contains(topic.name())) {
                topics.add(topic);
            }
        });
        return controller
                .createPartitions(call.context(request.timeoutMs()), topics, request.validateOnly())
                .thenApply(done -> {
                    List<CreatePartitionsResponseData.CreatePartitionsTopicResult> results = new ArrayList<>(done);
                    ApiError duplicate = new ApiError(Errors.INVALID_REQUEST, "Duplicate topic name.");
                    duplicates.forEach(
                            name -> results.add(new CreatePartitionsResponseData.CreatePartitionsTopicResult()
                                    .setName(name)
                                    .setErrorCode(duplicate.error().code())
                                    .setErrorMessage(duplicate.message())));
                    return new CreatePartitionsResponseData().setResults(results);
                });
    }
}
