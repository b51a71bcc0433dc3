package io.highwater.broker.api;

import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of requests whose handlers fail. The client is told of the error in the shape of its API, UNKNOWN_SERVER_ERROR if
 * it was a bug, and keeps its connection; the log is told everything, but not again and again. Any thread.
 */
final class FailedRequests {
    /** Failures of one API follow each other in the log no faster than this; those in between are only counted. */
    static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(FailedRequests.class);

    /** By API: when the next failure may be logged. */
    private final AtomicLongArray quietUntilNanos = new AtomicLongArray(ApiKeys.values().length);

    private final AtomicLong unlogged = new AtomicLong();

    FailedRequests() {
        long nowNanos = System.nanoTime();
        for (int i = 0; i < quietUntilNanos.length(); i++) {
            quietUntilNanos.set(i, nowNanos);
        }
    }

    /**
     * The answer. Reads the request's body, but no records.
     *
     * @throws UnanswerableException if there is none: the connection has to be closed
     */
    ApiMessage answer(ApiRequest request, Throwable failure) throws UnanswerableException {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof UnanswerableException known) {
            throw known;
        }
        if (cause instanceof UnsupportedVersionException) {
            // The controller's versions are not ours: a client that connects anew asks again which there are.
            throw new UnanswerableException(Errors.UNSUPPORTED_VERSION, cause.toString());
        }
        log(request, cause, System.nanoTime());
        return answerOf(request, cause);
    }

    static ApiMessage answerOf(ApiRequest request, Throwable cause) throws UnanswerableException {
        AbstractResponse answer;
        try {
            answer = parsed(request).getErrorResponse(0, cause);
        } catch (RuntimeException e) {
            throw new UnanswerableException(Errors.forException(cause), cause + ", and no answer can be made: " + e);
        }
        if (answer == null) {
            throw new UnanswerableException(Errors.forException(cause), cause + ", and no answer is wanted");
        }
        return answer.data();
    }

    /** The request as the client library knows it. */
    private static AbstractRequest parsed(ApiRequest request) {
        if (request.body() instanceof ProduceRequestData produce) {
            // The only one whose records may be gone already: it is not written out.
            return new ProduceRequest(produce, request.version());
        }
        return AbstractRequest.parseRequest(
                        request.api(),
                        request.version(),
                        MessageUtil.toByteBufferAccessor(request.body(), request.version()))
                .request;
    }

    private void log(ApiRequest request, Throwable cause, long nowNanos) {
        if (!mayLog(request.api(), nowNanos)) {
            unlogged.incrementAndGet();
            return;
        }
        long before = unlogged.getAndSet(0);
        LOG.error(
                "{} v{} from {} (client id \"{}\") failed; the client is told {}{}",
                request.api().name,
                request.version(),
                request.client().connectionId(),
                request.clientId(),
                Errors.forException(cause),
                before == 0 ? "" : ". " + before + " more failures are not in this log",
                cause);
    }

    /** Whether the failure has its turn in the log; if so, the next ones of this API have not for a while. */
    boolean mayLog(ApiKeys api, long nowNanos) {
        long quietUntil = quietUntilNanos.get(api.id);
        return nowNanos - quietUntil >= 0 && quietUntilNanos.compareAndSet(api.id, quietUntil, nowNanos + QUIET_NANOS);
    }
}
