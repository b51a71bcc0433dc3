package io.highwater.broker.api.records;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.vertx.core.Future;
import java.util.function.IntSupplier;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * Gives an idempotent producer its id. Waits for the controller if the ids at hand are used up. A transactional id is refused
 * as if its coordinator were somewhere else: there is none here. v3: the producer may name the id it had; without a
 * transactional id it gets a new one all the same.
 */
public final class InitProducerIdHandler implements ApiHandler<InitProducerIdRequestData> {
    private final ProducerIds ids;
    private final IntSupplier maxTransactionTimeoutMs;

    /** @param maxTransactionTimeoutMs {@code transaction.max.timeout.ms} */
    public InitProducerIdHandler(ProducerIds ids, IntSupplier maxTransactionTimeoutMs) {
        this.ids = ids;
        this.maxTransactionTimeoutMs = maxTransactionTimeoutMs;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, InitProducerIdRequestData body) {
        Errors error = check(body);
        if (error != Errors.NONE) {
            return Future.succeededFuture(refused(error));
        }
        return ids.next()
                .map(id -> new InitProducerIdResponseData().setProducerId(id).setProducerEpoch((short) 0))
                .otherwise(failed -> refused(Errors.COORDINATOR_LOAD_IN_PROGRESS))
                .map(response -> response);
    }

    private Errors check(InitProducerIdRequestData body) {
        boolean namesId = body.producerId() != RecordBatch.NO_PRODUCER_ID;
        boolean namesEpoch = body.producerEpoch() != RecordBatch.NO_PRODUCER_EPOCH;
        if (namesId != namesEpoch) {
            return Errors.INVALID_REQUEST;
        }
        if (body.transactionalId() == null) {
            return Errors.NONE;
        }
        if (body.transactionalId().isEmpty()) {
            return Errors.INVALID_REQUEST;
        }
        if (body.transactionTimeoutMs() <= 0 || body.transactionTimeoutMs() > maxTransactionTimeoutMs.getAsInt()) {
            return Errors.INVALID_TRANSACTION_TIMEOUT;
        }
        return Errors.COORDINATOR_NOT_AVAILABLE;
    }

    private static InitProducerIdResponseData refused(Errors error) {
        return new InitProducerIdResponseData()
                .setErrorCode(error.code())
                .setProducerId(RecordBatch.NO_PRODUCER_ID)
                .setProducerEpoch(RecordBatch.NO_PRODUCER_EPOCH);
    }
}
