package io.highwater.controlplane;

import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;

/** A message as the client library's network layer wants its requests: with a version, but without a class per API. */
final class MessageRequest extends AbstractRequest {
    private final ApiMessage message;

    private MessageRequest(ApiKeys api, short version, ApiMessage message) {
        super(api, version);
        this.message = message;
    }

    /** The message in any version that both sides know. */
    static AbstractRequest.Builder<MessageRequest> of(ApiMessage message) {
        ApiKeys api = ApiKeys.forId(message.apiKey());
        return new Builder(api, api.oldestVersion(), api.latestVersion(), message);
    }

    @Override
    public ApiMessage data() {
        return message;
    }

    @Override
    public AbstractResponse getErrorResponse(int throttleTimeMs, Throwable cause) {
        throw new UnsupportedOperationException("a request that is sent, not answered");
    }

    private static final class Builder extends AbstractRequest.Builder<MessageRequest> {
        private final ApiMessage message;

        Builder(ApiKeys api, short oldest, short latest, ApiMessage message) {
            super(api, oldest, latest);
            this.message = message;
        }

        @Override
        public MessageRequest build(short version) {
            return new MessageRequest(apiKey(), version, message);
        }

        @Override
        public String toString() {
            return apiKey().name;
        }
    }
}
