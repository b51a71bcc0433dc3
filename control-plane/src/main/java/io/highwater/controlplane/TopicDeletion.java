package io.highwater.controlplane;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.controller.ControllerRequestContext;
import org.jspecify.annotations.Nullable;

/** One DeleteTopics request: topics are named by name or by id, and each at most once. */
final class TopicDeletion {
    private final Controller controller;
    private final ControllerRequestContext context;
    private final List<DeletableTopicResult> results = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final Set<String> duplicateNames = new HashSet<>();
    private final Set<Uuid> ids = new HashSet<>();
    private final Set<Uuid> duplicateIds = new HashSet<>();
    private final Map<Uuid, String> found = new HashMap<>();

    TopicDeletion(Controller controller, ControllerRequestContext context) {
        this.controller = controller;
        this.context = context;
    }

    CompletionStage<List<DeletableTopicResult>> run(DeleteTopicsRequestData request) {
        request.topicNames().forEach(this::addName);
        request.topics().forEach(topic -> addTopic(topic.name(), topic.topicId()));
        names.removeAll(duplicateNames);
        ids.removeAll(duplicateIds);
        duplicateNames.forEach(name -> refuse(name, Uuid.ZERO_UUID, "Duplicate topic name."));
        duplicateIds.forEach(id -> refuse(null, id, "Duplicate topic id."));
        return controller
                .findTopicNames(context, ids)
                .thenCompose(foundNames -> {
                    foundNames.forEach((id, nameOrError) -> {
                        if (nameOrError.isError()) {
                            add(null, id, nameOrError.error());
                        } else {
                            found.put(id, nameOrError.result());
                        }
                    });
                    return controller.findTopicIds(context, names);
                })
                .thenCompose(foundIds -> {
                    foundIds.forEach((name, idOrError) -> {
                        if (idOrError.isError()) {
                            add(name, Uuid.ZERO_UUID, idOrError.error());
                        } else {
                            addFoundByName(name, idOrError.result());
                        }
                    });
                    return controller.deleteTopics(context, found.keySet());
                })
                .thenApply(outcomes -> {
                    outcomes.forEach((id, error) -> add(found.get(id), id, error));
                    return results;
                });
    }

    private void addName(String name) {
        if (!names.add(name)) {
            duplicateNames.add(name);
        }
    }

    private void addTopic(@Nullable String name, Uuid id) {
        boolean hasId = !id.equals(Uuid.ZERO_UUID);
        if (name != null && hasId) {
            refuse(name, id, "You may not specify both topic name and topic id.");
        } else if (name != null) {
            addName(name);
        } else if (!hasId) {
            refuse(null, Uuid.ZERO_UUID, "Neither topic name nor id were specified.");
        } else if (!ids.add(id)) {
            duplicateIds.add(id);
        }
    }

    private void addFoundByName(String name, Uuid id) {
        if (duplicateIds.contains(id) || found.put(id, name) != null) {
            duplicateIds.add(id);
            found.remove(id);
            refuse(name, id, "The provided topic name maps to an ID that was already supplied.");
        }
    }

    private void refuse(@Nullable String name, Uuid id, String why) {
        add(name, id, new ApiError(Errors.INVALID_REQUEST, why));
    }

    private void add(@Nullable String name, Uuid id, ApiError error) {
        results.add(new DeletableTopicResult()
                .setName(name)
                .setTopicId(id)
                .setErrorCode(error.error().code())
                .setErrorMessage(error.message()));
    }
}
