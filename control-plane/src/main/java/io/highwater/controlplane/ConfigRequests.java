package io.highwater.controlplane;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.controller.Controller;

/** Settings of topics, brokers, groups and metrics subscriptions as the controller keeps them. */
final class ConfigRequests {
    private final Controller controller;
    private final Supplier<ClusterImage> image;

    ConfigRequests(Controller controller, Supplier<ClusterImage> image) {
        this.controller = controller;
        this.image = image;
    }

    void addTo(Map<ApiKeys, ControllerApi> apis) {
        apis.put(ApiKeys.INCREMENTAL_ALTER_CONFIGS, this::incrementalAlter);
        apis.put(ApiKeys.ALTER_CONFIGS, this::alter);
        apis.put(
                ApiKeys.DESCRIBE_CONFIGS,
                call -> java.util.concurrent.CompletableFuture.completedFuture(
                        describe(call.body(DescribeConfigsRequestData.class))));
    }

    private CompletionStage<IncrementalAlterConfigsResponseData> incrementalAlter(ControllerCall call) {
        IncrementalAlterConfigsRequestData request = call.body(IncrementalAlterConfigsRequestData.class);
        Resources<Map<String, Map.Entry<AlterConfigOp.OpType, String>>> resources = new Resources<>();
        for (IncrementalAlterConfigsRequestData.AlterConfigsResource resource : request.resources()) {
            Map<String, Map.Entry<AlterConfigOp.OpType, String>> changes = new HashMap<>();
            resource.configs()
                    .forEach(config -> changes.put(
                            config.name(),
                            new AbstractMap.SimpleEntry<>(
                                    AlterConfigOp.OpType.forId(config.configOperation()), config.value())));
            resources.add(resource.resourceType(), resource.resourceName(), changes);
        }
        IncrementalAlterConfigsResponseData answer = new IncrementalAlterConfigsResponseData();
        return controller
                .incrementalAlterConfigs(call.context(), resources.accepted, request.validateOnly(), call.forwarded())
                .thenApply(outcomes -> {
                    resources
                            .outcomes(outcomes)
                            .forEach(outcome -> answer.responses()
                                    .add(new IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse()
                                            .setResourceType(outcome.type)
                                            .setResourceName(outcome.name)
                                            .setErrorCode(outcome.error.error().code())
                                            .setErrorMessage(outcome.error.message())));
                    return answer;
                });
    }

    private CompletionStage<AlterConfigsResponseData> alter(ControllerCall call) {
        AlterConfigsRequestData request = call.body(AlterConfigsRequestData.class);
        Resources<Map<String, String>> resources = new Resources<>();
        for (AlterConfigsRequestData.AlterConfigsResource resource : request.resources()) {
            Map<String, String> configs = new HashMap<>();
            resource.configs().forEach(config -> configs.put(config.name(), config.value()));
            resources.add(resource.resourceType(), resource.resourceName(), configs);
        }
        AlterConfigsResponseData answer = new AlterConfigsResponseData();
        return controller
                .legacyAlterConfigs(call.context(), resources.accepted, request.validateOnly(), call.forwarded())
                .thenApply(outcomes -> {
                    resources
                            .outcomes(outcomes)
                            .forEach(outcome -> answer.responses()
                                    .add(new AlterConfigsResponseData.AlterConfigsResourceResponse()
                                            .setResourceType(outcome.type)
                                            .setResourceName(outcome.name)
                                            .setErrorCode(outcome.error.error().code())
                                            .setErrorMessage(outcome.error.message())));
                    return answer;
                });
    }

    /** What is set, without the defaults that only a broker knows. */
    private DescribeConfigsResponseData describe(DescribeConfigsRequestData request) {
        DescribeConfigsResponseData answer = new DescribeConfigsResponseData();
        for (DescribeConfigsRequestData.DescribeConfigsResource resource : request.resources()) {
            ConfigResource.Type type = ConfigResource.Type.forId(resource.resourceType());
            DescribeConfigsResponseData.DescribeConfigsResult result =
                    new DescribeConfigsResponseData.DescribeConfigsResult()
                            .setResourceType(resource.resourceType())
                            .setResourceName(resource.resourceName());
            image.get()
                    .config(new ConfigResource(type, resource.resourceName()))
                    .forEach((name, value) -> {
                        if (resource.configurationKeys() == null
                                || resource.configurationKeys().contains(name)) {
                            result.configs()
                                    .add(new DescribeConfigsResponseData.DescribeConfigsResourceResult()
                                            .setName(name)
                                            .setValue(value)
                                            .setConfigSource(source(type, resource.resourceName())
                                                    .id()));
                        }
                    });
            answer.results().add(result);
        }
        return answer;
    }

    private static ConfigSource source(ConfigResource.Type type, String name) {
        return switch (type) {
            case BROKER ->
                name.isEmpty() ? ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG : ConfigSource.DYNAMIC_BROKER_CONFIG;
            case TOPIC -> ConfigSource.TOPIC_CONFIG;
            case GROUP -> ConfigSource.GROUP_CONFIG;
            case CLIENT_METRICS -> ConfigSource.CLIENT_METRICS_CONFIG;
            case BROKER_LOGGER, UNKNOWN -> ConfigSource.UNKNOWN;
        };
    }

    private record Outcome(byte type, String name, ApiError error) {}

    /** The resources of one request, each at most once. */
    private static final class Resources<C> {
        private final Map<ConfigResource, C> accepted = new HashMap<>();
        private final Set<ConfigResource> duplicates = new HashSet<>();
        private final List<Outcome> refused = new ArrayList<>();

        void add(byte typeId, String name, C changes) {
            ConfigResource resource = new ConfigResource(ConfigResource.Type.forId(typeId), name);
            if (resource.type() == ConfigResource.Type.UNKNOWN) {
                refused.add(new Outcome(
                        typeId,
                        name,
                        new ApiError(Errors.UNSUPPORTED_VERSION, "Unknown resource type " + typeId + ".")));
            } else if (resource.type() == ConfigResource.Type.BROKER_LOGGER) {
                refused.add(new Outcome(
                        typeId, name, new ApiError(Errors.INVALID_REQUEST, "Unexpected resource type BROKER_LOGGER.")));
            } else if (!duplicates.contains(resource) && accepted.put(resource, changes) != null) {
                duplicates.add(resource);
                accepted.remove(resource);
                refused.add(new Outcome(typeId, name, new ApiError(Errors.INVALID_REQUEST, "Duplicate resource.")));
            }
        }

        List<Outcome> outcomes(Map<ConfigResource, ApiError> answered) {
            List<Outcome> all = new ArrayList<>(refused);
            answered.forEach(
                    (resource, error) -> all.add(new Outcome(resource.type().id(), resource.name(), error)));
            return all;
        }
    }
}
