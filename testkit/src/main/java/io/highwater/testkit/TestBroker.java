package io.highwater.testkit;

import io.highwater.broker.boot.Broker;
import io.highwater.broker.boot.StopRequest;
import io.highwater.broker.config.BrokerConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One broker of a {@link HighwaterTestCluster}: it can be stopped and started again on the same data and the same ports. */
public final class TestBroker {
    private static final String CLIENTS = "PLAINTEXT";
    private static final String CONTROLLER = "CONTROLLER";
    private static final String HTTP_PORT = "highwater.http.port";

    private final int id;
    private final Path directory;
    private final Map<String, String> settings;
    private int clientPort;
    private int controllerPort;
    private @Nullable Broker running;
    private volatile StopRequest stopRequest = new StopRequest();

    /** @param controllerPort where its controller listens; 0 for any port, if no other broker has to know it */
    TestBroker(int id, int controllerPort, Map<String, String> ofAllBrokers, Path directory) {
        this.id = id;
        this.controllerPort = controllerPort;
        this.directory = directory;
        this.settings = new HashMap<>(ofAllBrokers);
        settings.putIfAbsent("process.roles", "broker,controller");
        settings.putIfAbsent("node.id", Integer.toString(id));
        settings.putIfAbsent("controller.listener.names", CONTROLLER);
        settings.putIfAbsent("log.dirs", directory.toString());
        settings.putIfAbsent("offsets.topic.replication.factor", "1");
        settings.putIfAbsent("transaction.state.log.replication.factor", "1");
        settings.putIfAbsent("transaction.state.log.min.isr", "1");
        settings.putIfAbsent("share.coordinator.state.topic.replication.factor", "1");
        settings.putIfAbsent("share.coordinator.state.topic.min.isr", "1");
        settings.putIfAbsent("group.initial.rebalance.delay.ms", "0");
        settings.putIfAbsent(HTTP_PORT, "-1");
    }

    /** The node id. */
    public int id() {
        return id;
    }

    /** Where clients reach it, as host:port; the same after every start. */
    public String address() {
        return "127.0.0.1:" + clientPort;
    }

    /** Where its data is. */
    public Path directory() {
        return directory;
    }

    /** Whether it runs. */
    public boolean isRunning() {
        return running != null;
    }

    /** Starts it, and returns when it serves. Does nothing if it runs. */
    public void start() {
        if (running != null) {
            return;
        }
        Map<String, String> all = new HashMap<>(settings);
        all.putIfAbsent(
                "listeners",
                CLIENTS + "://127.0.0.1:" + clientPort + "," + CONTROLLER + "://127.0.0.1:" + controllerPort);
        if (!all.containsKey("controller.quorum.voters")) {
            all.putIfAbsent("controller.quorum.bootstrap.servers", "127.0.0.1:" + controllerPort);
        }
        StopRequest ofThisStart = new StopRequest();
        stopRequest = ofThisStart;
        Broker broker = Broker.start(BrokerConfig.of(all), "a test", ofThisStart);
        clientPort = broker.ports().getOrDefault(CLIENTS, 0);
        controllerPort = broker.ports().getOrDefault(CONTROLLER, 0);
        running = broker;
    }

    /** Ends a start that is under way on another thread: it may wait for brokers that will not come. */
    void giveUpStart() {
        stopRequest.bySignal();
    }

    /** Stops it in an orderly way, and returns when nothing of it is left but its data. Does nothing if it does not run. */
    public void stop() {
        Broker broker = running;
        if (broker != null) {
            running = null;
            broker.stop();
        }
    }

    /** Stops it and starts it again on the same data. */
    public void restart() {
        stop();
        start();
    }
}
