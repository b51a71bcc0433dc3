package io.highwater.broker.api.configs;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.api.cluster.Forwarding;
import io.highwater.broker.config.BrokerConfig;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.jspecify.annotations.Nullable;

/**
 * Changes single settings. The levels of loggers are changed here and now; changes of this broker's settings are checked here; what is
 * fine, and all of topics, groups and client metrics, goes to the controller, whose answer is waited for. What it stores comes back with the
 * next images.
 */
final class IncrementalAlterConfigsHandler implements ApiHandler<IncrementalAlterConfigsRequestData> {
    private final ConfigsNeeds needs;
    private final Forwarding forwarding;

    IncrementalAlterConfigsHandler(ConfigsNeeds needs, Forwarding forwarding) {
        this.needs = needs;
        this.forwarding = forwarding;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, IncrementalAlterConfigsRequestData body) {
        Verdicts verdicts = new Verdicts();
        List<AlterConfigsResource> rest = verdicts.settleHere(
                body.resources(),
                IncrementalAlterConfigsHandler::keyOf,
                resource -> settle(resource, body.validateOnly()));
        if (rest.isEmpty()) {
            return Future.succeededFuture(answer(body, verdicts));
        }
        IncrementalAlterConfigsRequestData forwarded =
                new IncrementalAlterConfigsRequestData().setValidateOnly(body.validateOnly());
        rest.forEach(resource -> forwarded.resources().add(resource.duplicate()));
        return forwarding.forward(request, forwarded).map(controllers -> {
            ((IncrementalAlterConfigsResponseData) controllers)
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

    private static void requireSaneOperations(AlterConfigsResource resource) throws RefusedException {
        Set<String> names = new HashSet<>();
        for (AlterableConfig config : resource.configs()) {
            if (!names.add(config.name())) {
                throw new RefusedException(Errors.INVALID_REQUEST, "Error due to duplicate config keys");
            }
            OpType operation = OpType.forId(config.configOperation());
            if (operation == null) {
                throw new RefusedException(
                        Errors.INVALID_REQUEST, "there is no operation of type " + config.configOperation());
            }
            if (operation != OpType.DELETE && config.value() == null) {
                throw new RefusedException(Errors.INVALID_REQUEST, "Null value not supported for : " + config.name());
            }
        }
    }

    private boolean settle(AlterConfigsResource resource, boolean validateOnly) throws RefusedException {
        requireSaneOperations(resource);
        ConfigResource.Type type = ConfigResource.Type.forId(resource.resourceType());
        BrokerConfig config = needs.config().current();
        if (type == ConfigResource.Type.BROKER_LOGGER) {
            new BrokerIdentity(config.nodeId()).require(resource.resourceName());
            LogLevels.change(resource, validateOnly);
            return true;
        }
        ResourceChecks checks = new ResourceChecks(config);
        checks.requireOurs(resource.resourceType(), resource.resourceName());
        if (type != ConfigResource.Type.TOPIC) {
            ConfigResource named = new ConfigResource(type, resource.resourceName());
            Map<String, String> stored = needs.controlPlane().image().config(named);
            checks.check(named, Operations.apply(ResourceChecks.tableOf(type), stored, resource.configs()));
        }
        return false;
    }

    private static IncrementalAlterConfigsResponseData answer(
            IncrementalAlterConfigsRequestData body, Verdicts verdicts) {
        IncrementalAlterConfigsResponseData answer = new IncrementalAlterConfigsResponseData();
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
