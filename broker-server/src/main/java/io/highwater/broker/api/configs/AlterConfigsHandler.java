package io.highwater.broker.api.configs;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.api.cluster.Forwarding;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.AlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.jspecify.annotations.Nullable;

/**
 * Replaces all settings of a resource, as old clients do it. Changes of this broker's settings are checked here; what is fine goes to
 * the controller, whose answer is waited for.
 */
final class AlterConfigsHandler implements ApiHandler<AlterConfigsRequestData> {
    private final ConfigsNeeds needs;
    private final Forwarding forwarding;

    AlterConfigsHandler(ConfigsNeeds needs, Forwarding forwarding) {
        this.needs = needs;
        this.forwarding = forwarding;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, AlterConfigsRequestData body) {
        Verdicts verdicts = new Verdicts();
        List<AlterConfigsResource> rest =
                verdicts.settleHere(body.resources(), AlterConfigsHandler::keyOf, this::settle);
        if (rest.isEmpty()) {
            return Future.succeededFuture(answer(body, verdicts));
        }
        AlterConfigsRequestData forwarded = new AlterConfigsRequestData().setValidateOnly(body.validateOnly());
        rest.forEach(resource -> forwarded.resources().add(resource.duplicate()));
        return forwarding.forward(request, forwarded).map(controllers -> {
            ((AlterConfigsResponseData) controllers)
                    .responses()
                    .forEach(each -> verdicts.settle(
                            new Verdicts.Key(each.resourceType(), each.resourceName()),
                            new ApiError(Errors.forCode(each.errorCode()), each.errorMessage())));
            return answer(body, verdicts);
        });
    }

    private static Verdicts.Key keyOf(AlterConfigsResource resource) {
        return new Verdicts.Key(resource.resourceType(), resource.resourceName());
    }

    private boolean settle(AlterConfigsResource resource) throws RefusedException {
        ResourceChecks checks = new ResourceChecks(needs.config().current());
        checks.requireOurs(resource.resourceType(), resource.resourceName());
        checks.check(
                new ConfigResource(ConfigResource.Type.forId(resource.resourceType()), resource.resourceName()),
                entries(resource));
        return false;
    }

    private static Map<String, String> entries(AlterConfigsResource resource) throws RefusedException {
        Map<String, String> entries = new HashMap<>();
        for (AlterableConfig config : resource.configs()) {
            if (config.value() == null) {
                throw new RefusedException(Errors.INVALID_REQUEST, "Null value not supported for : " + config.name());
            }
            if (entries.put(config.name(), config.value()) != null) {
                throw new RefusedException(Errors.INVALID_REQUEST, "Error due to duplicate config keys");
            }
        }
        return entries;
    }

    private static AlterConfigsResponseData answer(AlterConfigsRequestData body, Verdicts verdicts) {
        AlterConfigsResponseData answer = new AlterConfigsResponseData();
        for (AlterConfigsResource resource : body.resources()) {
            ApiError verdict = verdicts.of(keyOf(resource));
            answer.responses()
                    .add(new AlterConfigsResourceResponse()
                            .setResourceType(resource.resourceType())
                            .setResourceName(resource.resourceName())
                            .setErrorCode(verdict.error().code())
                            .setErrorMessage(verdict.message()));
        }
        return answer;
    }
}
