package io.highwater.broker.config;

import java.util.ArrayList;
import java.util.HashMap;
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
     * Takes over the cluster's present dynamic settings. A broker must come up whatever another version once stored, so an entry that
     * does not parse here, or that may not change while a broker runs, counts as not given.
     *
     * @return a sentence for each entry that was left out; if they all contradict each other, one, and what held before still holds
     */
    public synchronized List<String> applyDynamic(
            Map<String, String> clusterDefaults, Map<String, String> ofThisBroker) {
        List<String> leftOut = new ArrayList<>();
        Map<String, String> forAll = usable(clusterDefaults, leftOut);
        Map<String, String> own = usable(ofThisBroker, leftOut);
        if (forAll.equals(current.clusterDefaults()) && own.equals(current.ofThisBroker())) {
            return leftOut;
        }
        try {
            current = current.withDynamic(forAll, own);
        } catch (InvalidSettingException e) {
            leftOut.add(e.getMessage());
            return leftOut;
        }
        followers.forEach(follower -> follower.accept(current));
        return leftOut;
    }

    private static Map<String, String> usable(Map<String, String> entries, List<String> leftOut) {
        Map<String, String> usable = new HashMap<>();
        entries.forEach((name, value) -> {
            try {
                DynamicSettings.check(name, value);
                usable.put(name, value);
            } catch (InvalidSettingException e) {
                leftOut.add(e.getMessage());
            }
        });
        return usable;
    }
}
