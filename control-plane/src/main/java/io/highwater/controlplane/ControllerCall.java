package io.highwater.controlplane;

import java.util.OptionalLong;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.controller.ControllerRequestContext;

/**
 * One request to the controller.
 *
 * @param header the request's header; the inner one if it came in an Envelope
 * @param body its body
 * @param caller on whose behalf; for an Envelope the client that the forwarding broker names
 * @param forwarded whether it came in an Envelope
 */
record ControllerCall(RequestHeader header, ApiMessage body, Caller caller, boolean forwarded) {

    <T extends ApiMessage> T body(Class<T> type) {
        return type.cast(body);
    }

    /** For operations that wait as long as the controller needs. */
    ControllerRequestContext context() {
        return context(OptionalLong.empty());
    }

    /** For operations that the client gives a time. */
    ControllerRequestContext context(int timeoutMs) {
        return context(ControllerRequestContext.requestTimeoutMsToDeadlineNs(Time.SYSTEM, timeoutMs));
    }

    private ControllerRequestContext context(OptionalLong deadlineNs) {
        return new ControllerRequestContext(header.data(), caller.principal(), deadlineNs);
    }
}
