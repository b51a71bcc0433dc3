package io.highwater.broker.api.configs;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.highwater.controlplane.ClusterImage;
import io.vertx.core.Future;
import java.util.List;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Shows settings with where they come from. Never waits. Brokers answer for themselves and for the cluster's default only. v1: sources and
 * synonyms. v3: types, and documentation on request (of topic settings).
 */
final class DescribeConfigsHandler implements ApiHandler<DescribeConfigsRequestData> {
    private final ConfigsNeeds needs;

    DescribeConfigsHandler(ConfigsNeeds needs) {
        this.needs = needs;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, DescribeConfigsRequestData body) {
        DescribeConfigsResponseData answer = new DescribeConfigsResponseData();
        for (DescribeConfigsResource resource : body.resources()) {
            answer.results().add(describe(resource, body));
        }
        return Future.succeededFuture(answer);
    }

    private DescribeConfigsResult describe(DescribeConfigsResource resource, DescribeConfigsRequestData body) {
        DescribeConfigsResult result = new DescribeConfigsResult()
                .setResourceType(resource.resourceType())
                .setResourceName(resource.resourceName());
        EntryWriter entries = new EntryWriter(resource, body.includeSynonyms());
        try {
            write(resource, entries, body.includeDocumentation());
            return result.setConfigs(entries.entries());
        } catch (RefusedException e) {
            return result.setErrorCode(e.error().code())
                    .setErrorMessage(e.getMessage())
                    .setConfigs(List.of());
        }
    }

    private void write(DescribeConfigsResource resource, EntryWriter entries, boolean documentation)
            throws RefusedException {
        ConfigResource.Type type = ConfigResource.Type.forId(resource.resourceType());
        String name = resource.resourceName();
        ClusterImage image = needs.controlPlane().image();
        BrokerIdentity self = new BrokerIdentity(needs.config().current().nodeId());
        SettingsView view = new SettingsView(needs.config().current(), entries);
        switch (type) {
            case TOPIC -> {
                requireTopic(name, image);
                view.topic(image.config(new ConfigResource(type, name)), documentation);
            }
            case BROKER -> {
                if (name.isEmpty()) {
                    view.clusterDefaults();
                } else {
                    self.require(name);
                    view.broker();
                }
            }
            case BROKER_LOGGER -> {
                self.require(name);
                LogLevels.write(entries);
            }
            case GROUP -> {
                requireName(name, "a group");
                view.group(image.config(new ConfigResource(type, name)));
            }
            case CLIENT_METRICS -> {
                requireName(name, "a client metrics subscription");
                view.clientMetrics(image.config(new ConfigResource(type, name)));
            }
            case UNKNOWN ->
                throw new RefusedException(
                        Errors.INVALID_REQUEST, "there are no resources of type " + resource.resourceType());
        }
    }

    private static void requireTopic(String name, ClusterImage image) throws RefusedException {
        try {
            Topic.validate(name);
        } catch (InvalidTopicException e) {
            throw new RefusedException(Errors.INVALID_TOPIC_EXCEPTION, e.getMessage());
        }
        if (image.topic(name) == null) {
            throw new RefusedException(Errors.UNKNOWN_TOPIC_OR_PARTITION, Errors.UNKNOWN_TOPIC_OR_PARTITION.message());
        }
    }

    private static void requireName(String name, String of) throws RefusedException {
        if (name.isEmpty()) {
            throw new RefusedException(Errors.INVALID_REQUEST, "the name of " + of + " is missing");
        }
    }
}
