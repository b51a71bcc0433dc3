package io.highwater.broker.view;

import io.highwater.controlplane.BrokerView;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The other brokers, to be asked. Any thread. */
public interface Peers {
    /**
     * Asks a broker.
     *
     * @param broker another than this one, and registered with an address
     * @return its answer; null if it does not give one in time. Never fails
     */
    CompletionStage<@Nullable LocalAnswer> ask(BrokerView broker, LocalQuestion question);
}
