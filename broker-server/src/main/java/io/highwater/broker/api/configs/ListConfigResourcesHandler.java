package io.highwater.broker.api.configs;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Lists what has settings. Never waits. v0 knew client metrics subscriptions only; v1: topics, brokers, their loggers and groups too,
 * narrowed to the types that the client names.
 */
final class ListConfigResourcesHandler implements ApiHandler<ListConfigResourcesRequestData> {
    private static final List<ConfigResource.Type> ALL = List.of(
            ConfigResource.Type.GROUP,
            ConfigResource.Type.CLIENT_METRICS,
            ConfigResource.Type.BROKER_LOGGER,
            ConfigResource.Type.BROKER,
            ConfigResource.Type.TOPIC);

    private final ConfigsNeeds needs;

    ListConfigResourcesHandler(ConfigsNeeds needs) {
        this.needs = needs;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, ListConfigResourcesRequestData body) {
        List<ConfigResource.Type> known = request.version() == 0 ? List.of(ConfigResource.Type.CLIENT_METRICS) : ALL;
        List<ConfigResource.Type> asked =
                body.resourceTypes().stream().map(ConfigResource.Type::forId).toList();
        ListConfigResourcesResponseData answer = new ListConfigResourcesResponseData();
        if (!known.containsAll(asked)) {
            return Future.succeededFuture(answer.setErrorCode(Errors.UNSUPPORTED_VERSION.code()));
        }
        ClusterImage image = needs.controlPlane().image();
        String listener = request.client().listener().value();
        for (ConfigResource.Type type : known) {
            if (asked.isEmpty() || asked.contains(type)) {
                names(type, image, listener)
                        .forEach(name -> answer.configResources()
                                .add(new ListConfigResourcesResponseData.ConfigResource()
                                        .setResourceName(name)
                                        .setResourceType(type.id())));
            }
        }
        return Future.succeededFuture(answer);
    }

    private static Stream<String> names(ConfigResource.Type type, ClusterImage image, String listener) {
        return switch (type) {
            case TOPIC -> image.topicNames().stream();
            case BROKER, BROKER_LOGGER ->
                image.brokers().stream()
                        .filter(broker -> broker.node(listener).isPresent())
                        .map(BrokerView::id)
                        .map(String::valueOf);
            case GROUP, CLIENT_METRICS ->
                image.configuredResources().stream()
                        .filter(resource -> resource.type() == type)
                        .map(ConfigResource::name);
            case UNKNOWN -> Stream.empty();
        };
    }
}
