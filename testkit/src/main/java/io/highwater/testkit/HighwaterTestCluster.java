package io.highwater.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;

/**
 * Brokers that run inside the test's JVM, each a controller too. Ready when {@link Builder#start} returns: all are registered and not fenced;
 * {@link #close} stops them all and deletes what they wrote.
 *
 * <pre>{@code
 * try (HighwaterTestCluster cluster = HighwaterTestCluster.builder().config("num.partitions", "3").start()) {
 *     cluster.createTopic("orders", 3);
 *     ... new KafkaProducer<>(Map.of("bootstrap.servers", cluster.bootstrapServers(), ...)) ...
 * }
 * }</pre>
 *
 * <p>With several brokers, ways between them can be {@linkplain #cut cut}, and what a partition has come to can be {@linkplain #state seen} and
 * {@linkplain #await waited for}; what may become of a single broker is with {@link TestBroker}, what may become of requests with {@link Requests}.
 *
 * <pre>{@code
 * try (HighwaterTestCluster cluster = HighwaterTestCluster.builder().brokers(3).start()) {
 *     cluster.createTopic("orders", List.of(List.of(1, 2, 3)), Map.of("min.insync.replicas", "2"));
 *     cluster.cut(3, 1);                                                       // broker 3 cannot ask its leader any more
 *     cluster.await("orders", 0, PartitionCondition.inSyncReplicas(1, 2));
 *     cluster.heal();
 *     cluster.await("orders", 0, PartitionCondition.whole());
 * }
 * }</pre>
 *
 * <p>A client finds its brokers by {@link #bootstrapServers}; one that begins with a broker that is paused waits for it as for any server that
 * does not answer.
 *
 * <p>For one thread at a time.
 */
public final class HighwaterTestCluster implements AutoCloseable {
    private static final long ADMIN_TIMEOUT_SECONDS = 30;

    private final Path directory;
    private final boolean ownsDirectory;
    private final TestNetwork network = new TestNetwork();
    private final Events events = new Events();
    private final List<TestBroker> brokers = new ArrayList<>();
    private @Nullable Admin admin;

    private HighwaterTestCluster(Builder builder) {
        this.ownsDirectory = builder.directory == null;
        this.directory = builder.directory == null ? temporaryDirectory() : builder.directory;
        Map<String, String> common = TestSettings.common(builder.brokers, builder.settings);
        for (int id = 1; id <= builder.brokers; id++) {
            Map<String, String> settings = new HashMap<>(common);
            settings.putAll(builder.ofOne.getOrDefault(id, Map.of()));
            brokers.add(new TestBroker(id, directory.resolve("broker-" + id), settings, network, events));
        }
        String clusterId = ClusterId.of(brokers);
        brokers.forEach(broker -> broker.configure(TestSettings.own(broker, brokers, clusterId)));
    }

    /**
     * Begins a cluster of one broker with Kafka's defaults, but for internal topics of as many replicas as there are brokers, at most three, and
     * groups that form at once. Several brokers find it out sooner when one of them does not answer any more: {@code broker.session.timeout.ms} is
     * 3000, {@code controller.quorum.fetch.timeout.ms} 1000, {@code controller.quorum.election.timeout.ms} 200 and for the first one 50.
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Addresses of the brokers for clients, also of those that are stopped. */
    public String bootstrapServers() {
        return brokers.stream().map(TestBroker::address).collect(Collectors.joining(","));
    }

    /** The broker with that node id, from 1. */
    public TestBroker broker(int id) {
        if (id < 1 || id > brokers.size()) {
            throw new IllegalArgumentException("no broker " + id + ": there are " + brokers.size());
        }
        return brokers.get(id - 1);
    }

    /** All brokers, by node id. */
    public List<TestBroker> brokers() {
        return List.copyOf(brokers);
    }

    /** The broker that leads the partition, by the newest metadata; waits for one. */
    public TestBroker leaderOf(String topic, int partition) {
        return broker(await(topic, partition, PartitionCondition.led()).leader());
    }

    /** The broker that is the active controller; waits for one. */
    public TestBroker controller() {
        Await.until(() -> activeController() != null, Await.PATIENCE, () -> "no active controller; " + events);
        TestBroker found = activeController();
        if (found == null) {
            throw new IllegalStateException("the controller has just gone; " + events);
        }
        return found;
    }

    /**
     * What a partition is at this moment.
     *
     * @throws IllegalArgumentException if no running broker knows it
     */
    public PartitionState state(String topic, int partition) {
        return Views.state(brokers, topic, partition)
                .orElseThrow(() ->
                        new IllegalArgumentException("no running broker knows " + topic + "-" + partition + " (yet)"));
    }

    /**
     * Returns the first state of the partition for which the condition holds; waits for it for half a minute.
     *
     * @throws AssertionError with the state and the last events, if it does not hold in time
     */
    public PartitionState await(String topic, int partition, PartitionCondition condition) {
        return await(topic, partition, condition, Await.PATIENCE);
    }

    /** As {@link #await(String, int, PartitionCondition)}, for that long. */
    public PartitionState await(String topic, int partition, PartitionCondition condition, Duration atMost) {
        AtomicReference<@Nullable PartitionState> found = new AtomicReference<>();
        Await.until(
                () -> {
                    PartitionState now = Views.state(brokers, topic, partition).orElse(null);
                    found.set(now);
                    return now != null && condition.holds(now);
                },
                atMost,
                () -> topic + "-" + partition + " has not come to " + condition + "; it is\n" + found.get() + "\n"
                        + events.about(new TopicPartition(topic, partition)));
        return Objects.requireNonNull(found.get());
    }

    /** What has happened in the cluster of late, one line each, the oldest first: to its partitions, and by the test. */
    public List<String> lastEvents() {
        return events.last();
    }

    /**
     * Cuts one way: from now on nothing that {@code from} sends reaches {@code to}, on connections that either has opened. What is sent waits, as
     * on a network that loses every packet, and arrives after {@link #heal}.
     */
    public void cut(int from, int to) {
        if (from == to) {
            throw new IllegalArgumentException("nothing lies between broker " + from + " and itself");
        }
        events.note(broker(from).id(), "cut off from broker " + broker(to).id());
        network.links().cut(from, to);
        network.relays().onLinksChanged();
    }

    /** Undoes {@link #cut} of that way. */
    public void heal(int from, int to) {
        events.note(
                broker(from).id(), "no more cut off from broker " + broker(to).id());
        network.links().heal(from, to);
        network.relays().onLinksChanged();
    }

    /** Undoes every {@link #cut}. */
    public void heal() {
        network.links().heal();
        network.relays().onLinksChanged();
    }

    /** Ends every fault: ways that are cut, requests that are held, delayed or failed, pauses. Brokers that do not run are not started. */
    public void endFaults() {
        heal();
        for (TestBroker broker : brokers) {
            broker.faults().endAll();
            broker.resume();
        }
    }

    /** Whether the controller has fenced the broker, or does not know it, by the newest metadata of a running broker. */
    public boolean isFenced(int brokerId) {
        return Views.isFenced(brokers, brokerId);
    }

    /**
     * Returns when {@link #isFenced} is {@code fenced}.
     *
     * @throws AssertionError with the last events, if it is not within half a minute
     */
    public void awaitFenced(int brokerId, boolean fenced) {
        Await.until(
                () -> isFenced(brokerId) == fenced,
                Await.PATIENCE,
                () -> "broker " + brokerId + " is " + (fenced ? "not fenced; " : "fenced; ") + events);
    }

    /** Starts all brokers that do not run, all at once, and returns when they serve. */
    public void startAll() {
        AllAtOnce.start(brokers.stream().filter(broker -> !broker.isRunning()).toList());
        Await.until(
                () -> Views.allKnowAll(brokers), Await.PATIENCE, () -> "not all brokers know each other; " + events);
    }

    /** Creates a topic with one replica of each partition, and returns when it serves. */
    public void createTopic(String name, int partitions) {
        createTopic(name, partitions, 1);
    }

    /** Creates a topic with that many replicas of each partition, and returns when it serves. */
    public void createTopic(String name, int partitions, int replicas) {
        createTopic(name, partitions, replicas, Map.of());
    }

    /**
     * Creates a topic, and returns when its leaders serve.
     *
     * @param configs the topic's own settings
     */
    public void createTopic(String name, int partitions, int replicas, Map<String, String> configs) {
        create(new NewTopic(name, partitions, (short) replicas).configs(configs), partitions);
    }

    /**
     * Creates a topic whose replicas are on given brokers, and returns when its leaders serve.
     *
     * @param replicas for each partition from 0 on the brokers, the preferred leader first
     */
    public void createTopic(String name, List<List<Integer>> replicas, Map<String, String> configs) {
        Map<Integer, List<Integer>> byPartition = new HashMap<>();
        replicas.forEach(brokersOfOne -> byPartition.put(byPartition.size(), brokersOfOne));
        create(new NewTopic(name, byPartition).configs(configs), replicas.size());
    }

    private void create(NewTopic topic, int partitions) {
        String name = topic.name();
        boolean isThere = Views.state(brokers, name, 0).isPresent();
        try {
            admin().createTopics(List.of(topic)).all().get(ADMIN_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // A client asks again when an answer is lost with a broker, and then hears of what it has done itself.
            if (isThere || !(e.getCause() instanceof TopicExistsException)) {
                throw new IllegalStateException("could not create the topic " + name, e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while creating the topic " + name, e);
        }
        for (int partition = 0; partition < partitions; partition++) {
            await(name, partition, PartitionCondition.led());
        }
    }

    /** An administrator of the cluster, shared by all callers and closed with it. */
    public Admin admin() {
        Admin present = admin;
        if (present == null) {
            present = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers()));
            admin = present;
        }
        return present;
    }

    /** Ends every fault, stops all brokers, and deletes their data, unless its directory was given. */
    @Override
    public void close() {
        if (admin != null) {
            admin.close();
            admin = null;
        }
        endFaults();
        AllAtOnce.end(brokers, ownsDirectory);
        brokers.forEach(TestBroker::close);
        network.close();
        if (ownsDirectory) {
            Directories.delete(directory);
        }
    }

    private HighwaterTestCluster started() {
        try {
            startAll();
            return this;
        } catch (RuntimeException | AssertionError e) {
            close();
            throw e;
        }
    }

    private @Nullable TestBroker activeController() {
        return brokers.stream().filter(Views::isActiveController).findFirst().orElse(null);
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("highwater-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the cluster is to be like. */
    public static final class Builder {
        private int brokers = 1;
        private @Nullable Path directory;
        private final Map<String, String> settings = new HashMap<>();
        private final Map<Integer, Map<String, String>> ofOne = new HashMap<>();

        private Builder() {}

        /** How many brokers, each a controller too. */
        public Builder brokers(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("at least one broker, not " + count);
            }
            brokers = count;
            return this;
        }

        /** One setting of every broker, under Kafka's name. */
        public Builder config(String name, String value) {
            settings.put(name, value);
            return this;
        }

        /** One setting of the broker with that node id, from 1; goes before what all have. */
        public Builder config(int brokerId, String name, String value) {
            ofOne.computeIfAbsent(brokerId, id -> new HashMap<>()).put(name, value);
            return this;
        }

        /** Where the data goes; without it a temporary directory that {@link HighwaterTestCluster#close} deletes. */
        public Builder directory(Path path) {
            directory = path;
            return this;
        }

        /** Starts the brokers and returns when they serve. */
        public HighwaterTestCluster start() {
            return new HighwaterTestCluster(this).started();
        }
    }
}
