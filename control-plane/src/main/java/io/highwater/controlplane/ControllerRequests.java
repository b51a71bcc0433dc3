package io.highwater.controlplane;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.EnvelopeRequestData;
import org.apache.kafka.common.message.EnvelopeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds who answers a request on the CONTROLLER listener, and turns failures into that API's own answer. */
final class ControllerRequests {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerRequests.class);

    private final Map<ApiKeys, ControllerApi> apis;
    private final BooleanSupplier isActive;

    /**
     * @param apis who answers what; envelopes are opened here
     * @param isActive whether this node is the active controller, the only one that takes envelopes
     */
    ControllerRequests(Map<ApiKeys, ControllerApi> apis, BooleanSupplier isActive) {
        this.apis = new EnumMap<>(apis);
        this.isActive = isActive;
        this.apis.put(ApiKeys.ENVELOPE, this::envelope);
    }

    CompletionStage<ApiMessage> answer(ControllerCall call) {
        ControllerApi api = apis.get(call.header().apiKey());
        if (api == null) {
            return CompletableFuture.failedFuture(new UnsupportedVersionException(
                    call.header().apiKey() + " is not spoken on a controller's listener"));
        }
        CompletionStage<? extends ApiMessage> answer;
        try {
            answer = api.answer(call);
        } catch (RuntimeException refused) {
            answer = CompletableFuture.failedFuture(refused);
        }
        return answer.handle((body, failure) -> failure == null ? body : errorAnswer(call, failure));
    }

    private static ApiMessage errorAnswer(ControllerCall call, Throwable failure) {
        Throwable cause = ErrorAnswers.unwrap(failure);
        if (!(cause instanceof ApiException)) {
            LOG.error("{} from {} failed", call.header(), call.caller().clientAddress(), cause);
        }
        return ErrorAnswers.of(call.header(), call.body(), cause);
    }

    private CompletionStage<EnvelopeResponseData> envelope(ControllerCall outer) {
        if (!isActive.getAsBoolean()) {
            return CompletableFuture.completedFuture(
                    new EnvelopeResponseData().setErrorCode(Errors.NOT_CONTROLLER.code()));
        }
        ControllerCall inner = Envelopes.unwrap(outer.body(EnvelopeRequestData.class), outer.caller());
        short version = inner.header().apiVersion();
        ApiKeys api = inner.header().apiKey();
        return answer(inner).thenApply(body -> {
            // Leadership may have gone meanwhile: then the forwarder, not the client, must look for the new controller.
            return Envelopes.notController(api, version, body)
                    ? new EnvelopeResponseData().setErrorCode(Errors.NOT_CONTROLLER.code())
                    : Envelopes.answer(inner.header(), body);
        });
    }
}
