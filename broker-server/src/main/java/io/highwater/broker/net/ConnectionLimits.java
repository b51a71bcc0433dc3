package io.highwater.broker.net;

import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * How many connections there may be, in all and from one address ({@code max.connections}, {@code max.connections.per.ip} and
 * its overrides). Shared by all listeners; any thread. New limits hold for new connections.
 */
public final class ConnectionLimits {
    private final AtomicInteger open = new AtomicInteger();
    private final Map<InetAddress, Integer> openByAddress = new ConcurrentHashMap<>();
    private volatile Limits limits;

    /**
     * The limits at one time.
     *
     * @param max in all
     * @param maxPerAddress from one address that has no override
     * @param overrides by address
     */
    public record Limits(int max, int maxPerAddress, Map<InetAddress, Integer> overrides) {
        /** Copies the map. */
        public Limits {
            overrides = Map.copyOf(overrides);
        }

        /** No limits at all: Kafka's default. */
        public static Limits none() {
            return new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Map.of());
        }
    }

    /** Starts with these limits. */
    public ConnectionLimits(Limits limits) {
        this.limits = limits;
    }

    /** Changes the limits. */
    public void update(Limits newLimits) {
        limits = newLimits;
    }

    /** Counts a new connection in; null if it may stay, and then {@link #closed} is owed, else why it must go. */
    @Nullable
    String opened(InetAddress address) {
        Limits now = limits;
        if (open.incrementAndGet() > now.max) {
            open.decrementAndGet();
            return "max.connections=" + now.max + " are open";
        }
        int maxHere = now.overrides.getOrDefault(address, now.maxPerAddress);
        int here = openByAddress.merge(address, 1, Integer::sum);
        if (here > maxHere) {
            closed(address);
            return "max.connections.per.ip=" + maxHere + " are open from this address";
        }
        return null;
    }

    /** Counts a connection out. */
    void closed(InetAddress address) {
        open.decrementAndGet();
        openByAddress.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
    }

    /** Connections open now. */
    public int open() {
        return open.get();
    }
}
