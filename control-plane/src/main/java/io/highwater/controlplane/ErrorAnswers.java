package io.highwater.controlplane;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestHeader;

/** The error answer of any API, as the client library itself makes it. Slow: it writes and reads the request once more. */
final class ErrorAnswers {
    private ErrorAnswers() {}

    static ApiMessage of(RequestHeader header, ApiMessage body, Throwable failure) {
        return of(header.apiKey(), header.apiVersion(), body, failure);
    }

    static ApiMessage of(ApiKeys api, short version, ApiMessage body, Throwable failure) {
        ByteBufferAccessor bytes = MessageUtil.toByteBufferAccessor(body, version);
        AbstractRequest request = AbstractRequest.parseRequest(api, version, bytes).request;
        return request.getErrorResponse(0, unwrap(failure)).data();
    }

    /** What really happened, without the wrappers that futures put around it. */
    static Throwable unwrap(Throwable failure) {
        Throwable inner = failure;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }
}
