package io.highwater.controlplane;

import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.protocol.ApiMessage;

/** Answers one API on the controller listener. A failed stage becomes that API's own error answer. */
@FunctionalInterface
interface ControllerApi {
    CompletionStage<? extends ApiMessage> answer(ControllerCall call);
}
