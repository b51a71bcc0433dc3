package io.highwater.testkit;

import io.highwater.broker.api.ApiRequest;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.Node;

/** What lies between the brokers of one cluster, and the clock of its faults. Any thread. */
final class TestNetwork implements AutoCloseable {
    /** As brokers call themselves when they call others. */
    private static final Pattern BROKER = Pattern.compile("highwater-(\\d+)-.*");

    private final Links links = new Links();
    private final Relays relays = new Relays(links);
    private final Map<Integer, Integer> brokerByPort = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "highwater-testkit-clock");
        thread.setDaemon(true);
        return thread;
    });

    TestNetwork() {
        clock.setRemoveOnCancelPolicy(true);
    }

    Links links() {
        return links;
    }

    Relays relays() {
        return relays;
    }

    ScheduledExecutorService clock() {
        return clock;
    }

    /** That port is one of that broker's. */
    void isAt(int brokerId, int port) {
        brokerByPort.put(port, brokerId);
    }

    /** Where {@code caller} connects to get to {@code destination}: over a relay, but for itself. */
    Node detour(int caller, Node destination) {
        Integer called = brokerByPort.get(destination.port());
        if (called == null || called == caller) {
            return destination;
        }
        InetSocketAddress target = new InetSocketAddress(destination.host(), destination.port());
        return new Node(destination.id(), "127.0.0.1", relays.toward(caller, called, target));
    }

    /** The broker that has sent the request; empty if a client has. */
    OptionalInt source(ApiRequest request) {
        Integer caller = relays.callerAt(request.client().address().getPort());
        if (caller != null) {
            return OptionalInt.of(caller);
        }
        // A broker calls itself straight.
        Matcher name = BROKER.matcher(request.clientId());
        return name.matches() ? OptionalInt.of(Integer.parseInt(name.group(1))) : OptionalInt.empty();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        relays.close();
    }
}
