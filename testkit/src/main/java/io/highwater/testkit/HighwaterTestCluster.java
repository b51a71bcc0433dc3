package io.highwater.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;

/**
 * Brokers that run inside the test's JVM. Ready when {@link Builder#start} returns; {@link #close} stops them all and deletes what they wrote.
 *
 * <pre>{@code
 * try (HighwaterTestCluster cluster = HighwaterTestCluster.builder().config("num.partitions", "3").start()) {
 *     cluster.createTopic("orders", 3);
 *     ... new KafkaProducer<>(Map.of("bootstrap.servers", cluster.bootstrapServers(), ...)) ...
 * }
 * }</pre>
 *
 * <p>For one thread at a time.
 */
public final class HighwaterTestCluster implements AutoCloseable {
    private static final long ADMIN_TIMEOUT_SECONDS = 30;

    private final Path directory;
    private final boolean ownsDirectory;
    private final List<TestBroker> brokers = new ArrayList<>();
    private @Nullable Admin admin;

    private HighwaterTestCluster(Builder builder) {
        this.ownsDirectory = builder.directory == null;
        this.directory = builder.directory == null ? temporaryDirectory() : builder.directory;
        Quorum quorum = Quorum.of(builder.brokers);
        Map<String, String> settings = new HashMap<>(quorum.settings());
        settings.putAll(builder.settings);
        for (int id = 1; id <= builder.brokers; id++) {
            brokers.add(new TestBroker(id, quorum.port(id), settings, directory.resolve("broker-" + id)));
        }
    }

    /** Begins a cluster with Kafka's defaults, but for internal topics of one replica on one broker and groups that form at once. */
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

    /** Creates a topic with one replica of each partition, and returns when it serves. */
    public void createTopic(String name, int partitions) {
        createTopic(name, partitions, 1, Map.of());
    }

    /**
     * Creates a topic, and returns when its leaders serve.
     *
     * @param configs the topic's own settings
     */
    public void createTopic(String name, int partitions, int replicas, Map<String, String> configs) {
        NewTopic topic = new NewTopic(name, partitions, (short) replicas).configs(configs);
        try {
            admin().createTopics(List.of(topic)).all().get(ADMIN_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("could not create the topic " + name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while creating the topic " + name, e);
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

    /** Stops all brokers and deletes their data, unless its directory was given. */
    @Override
    public void close() {
        if (admin != null) {
            admin.close();
            admin = null;
        }
        brokers.forEach(TestBroker::stop);
        if (ownsDirectory) {
            Directories.delete(directory);
        }
    }

    private HighwaterTestCluster started() {
        try {
            startTogether();
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** No broker is ready before most of them have started. */
    private void startTogether() {
        List<CompletableFuture<Void>> starts = brokers.stream()
                .map(broker -> CompletableFuture.runAsync(broker::start, HighwaterTestCluster::onThreadOfItsOwn)
                        .whenComplete((started, failure) -> {
                            if (failure != null) {
                                brokers.forEach(TestBroker::giveUpStart);
                            }
                        }))
                .toList();
        RuntimeException first = null;
        for (CompletableFuture<Void> start : starts) {
            try {
                start.join();
            } catch (CompletionException e) {
                RuntimeException failure = e.getCause() instanceof RuntimeException cause ? cause : e;
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private static void onThreadOfItsOwn(Runnable task) {
        Thread thread = new Thread(task, "start of a broker");
        thread.setDaemon(true);
        thread.start();
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

        private Builder() {}

        /** How many brokers, each a controller too, and a voter. With several, internal topics have up to three replicas. */
        public Builder brokers(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("a cluster has one broker or more, not " + count);
            }
            brokers = count;
            return this;
        }

        /** One setting of every broker, under Kafka's name. */
        public Builder config(String name, String value) {
            settings.put(name, value);
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
