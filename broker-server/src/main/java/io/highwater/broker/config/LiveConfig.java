package io.highwater.broker.config;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The configuration that holds right now. Read from any thread; changed by whoever follows the cluster's metadata, one change at a
 * time.
 */
public final class LiveConfig {
    private final List<Consumer<BrokerConfig>> followers = new CopyOnWriteArrayList<>();
    private volatile BrokerConfig current;

    /** Starts with what the file says. */
    public LiveConfig(BrokerConfig atStart) {
        this.current = atStart;
    }

    /** What holds now. */
    public BrokerConfig current() {
        return current;
    }

    /** Calls back after each change, on the thread that brought it, in the order of the calls to this method. */
    public void onChange(Consumer<BrokerConfig> follower) {
        followers.add(follower);
    }

    /**
     * Takes over the cluster's present dynamic settings.
     *
     * @throws InvalidSettingException if they are wrong; what held before still holds
     */
    public synchronized void applyDynamic(Map<String, String> clusterDefaults, Map<String, String> ofThisBroker) {
        if (clusterDefaults.equals(current.clusterDefaults()) && ofThisBroker.equals(current.ofThisBroker())) {
            return;
        }
        current = current.withDynamic(clusterDefaults, ofThisBroker);
        followers.forEach(follower -> follower.accept(current));
    }
}
