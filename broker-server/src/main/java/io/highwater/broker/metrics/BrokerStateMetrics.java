package io.highwater.broker.metrics;

import java.util.function.IntSupplier;

/**
 * Where the broker stands.
 *
 * @param state its code
 */
public record BrokerStateMetrics(IntSupplier state) implements SeriesSource {
    @Override
    public void writeTo(SeriesWriter out) {
        out.gauge(
                        "kafka_server_kafkaserver_brokerstate",
                        "0 not running, 1 starting, 2 opening its logs, 3 running, 6 leaving, 7 stopping")
                .sample((long) state.getAsInt());
    }
}
