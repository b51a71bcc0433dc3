package io.highwater.broker.peer;

import io.highwater.broker.config.BrokerConfig;

/**
 * How this broker fetches from others; names are those of the broker settings.
 *
 * @param nodeId this broker
 * @param listener {@code inter.broker.listener.name}: where others are called
 * @param minBytes {@code replica.fetch.min.bytes}
 * @param waitMaxMs {@code replica.fetch.wait.max.ms}
 * @param partitionMaxBytes {@code replica.fetch.max.bytes}
 * @param responseMaxBytes {@code replica.fetch.response.max.bytes}
 * @param backoffMs {@code replica.fetch.backoff.ms}: longest wait before what failed is tried again
 * @param socketTimeoutMs {@code replica.socket.timeout.ms}: longest wait for a connection or an answer
 * @param receiveBufferBytes {@code replica.socket.receive.buffer.bytes}; not positive for what the system gives
 * @param maxBatchBytes no leader can have taken a batch larger than a request
 */
public record PeerSettings(
        int nodeId,
        String listener,
        int minBytes,
        int waitMaxMs,
        int partitionMaxBytes,
        int responseMaxBytes,
        int backoffMs,
        int socketTimeoutMs,
        int receiveBufferBytes,
        int maxBatchBytes) {
    /** What an answer may hold besides records: 100,000 partitions with all their fields. */
    private static final int MAX_FIELDS_BYTES = 16 << 20;

    /** As configured. */
    public static PeerSettings of(BrokerConfig config) {
        return new PeerSettings(
                config.nodeId(),
                config.interBrokerListenerName(),
                config.getInt("replica.fetch.min.bytes"),
                config.getInt("replica.fetch.wait.max.ms"),
                config.getInt("replica.fetch.max.bytes"),
                config.getInt("replica.fetch.response.max.bytes"),
                config.getInt("replica.fetch.backoff.ms"),
                config.getInt("replica.socket.timeout.ms"),
                config.getInt("replica.socket.receive.buffer.bytes"),
                config.getInt("socket.request.max.bytes"));
    }

    /** The largest answer that is taken, and so the memory that one session may need for what it reads. */
    int maxAnswerBytes() {
        return (int) Math.min(Integer.MAX_VALUE, (long) MAX_FIELDS_BYTES + Math.max(responseMaxBytes, maxBatchBytes));
    }
}
