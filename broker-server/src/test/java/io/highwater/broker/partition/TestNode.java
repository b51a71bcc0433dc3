package io.highwater.broker.partition;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.LiveConfig;
import io.highwater.broker.disk.DiskWorkers;
import io.highwater.broker.metrics.Dialects;
import io.highwater.broker.metrics.Metrics;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ImageBuilder;
import io.highwater.controlplane.ImageChange;
import io.highwater.controlplane.InSyncReplicasAnswer;
import io.highwater.controlplane.PartitionChange;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import io.highwater.replication.InSyncReplicasProposal;
import io.highwater.storage.dir.LogDirectory;
import io.highwater.storage.log.BatchValidator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;

/** {@link Partitions} over real directories, with a controller played by the test: what it decides is applied when a method returns. */
public final class TestNode implements AutoCloseable, ControllerRequests, PartitionEvents {
    public static final int ID = 1;

    public final ManualClock clock = new ManualClock();
    public final DiskWorkers disk = new DiskWorkers(2);
    public final List<Uuid> assigned = new CopyOnWriteArrayList<>();
    public final List<Uuid> failed = new CopyOnWriteArrayList<>();

    /** What leaders here have asked of the controller; never answered. */
    public final List<InSyncReplicasProposal> proposals = new CopyOnWriteArrayList<>();

    /** Roles that were given, as words. */
    public final List<String> roles = new CopyOnWriteArrayList<>();

    public final Partitions partitions;
    public final long previousEpoch;

    /** Told of every change of a role. */
    public volatile FollowerFeed feed = FollowerFeed.NONE;

    private final List<LogDirectory> directories;
    private final Map<String, TopicView> topics;
    private final Map<String, Map<String, String>> configs = new HashMap<>();
    private final Map<Integer, BrokerView> brokers = new HashMap<>();
    private ClusterImage image = ClusterImage.empty();

    /** Opens the directories and applies a first image with {@code topics}. */
    public TestNode(Map<String, TopicView> topics, Path... paths) throws Exception {
        this.topics = new LinkedHashMap<>(topics);
        directories = LogDirectory.openAll(List.of(paths), ID, null);
        for (LogDirectory directory : directories) {
            directory.format("cluster", ID);
        }
        BrokerConfig config = BrokerConfig.of(Map.of(
                "process.roles", "broker,controller",
                "node.id", "1",
                "controller.listener.names", "CONTROLLER",
                "listeners", "PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0",
                "controller.quorum.bootstrap.servers", "127.0.0.1:9093"));
        partitions = new Partitions(
                new LiveConfig(config),
                this::image,
                new PartitionServices(
                        ID,
                        clock,
                        clock,
                        disk,
                        new BatchValidator(),
                        new ImageMembership(this::image),
                        this,
                        partition -> feed.onRoleChanged(partition),
                        this,
                        new Metrics(Dialects.usual())),
                () -> {});
        previousEpoch = partitions.use(directories);
        apply(List.of(), Set.of());
        partitions.loaded().await();
    }

    public TestNode(Path... paths) throws Exception {
        this(Map.of(), paths);
    }

    /** The newest image. */
    public synchronized ClusterImage image() {
        return image;
    }

    /** The controller creates a topic whose partitions this node leads alone. */
    public TopicView create(String name, int partitionCount) {
        return create(name, partitionCount, Uuid.ZERO_UUID);
    }

    public TopicView create(String name, int partitionCount, Uuid directory) {
        Uuid id = Uuid.randomUuid();
        TopicView topic = new TopicView(
                name,
                id,
                IntStream.range(0, partitionCount)
                        .mapToObj(index -> view(name, id, index, 0, 0, ID, List.of(ID), directory))
                        .toList());
        topics.put(name, topic);
        apply(List.of(), Set.of());
        return topic;
    }

    /** The controller changes one partition. */
    public void change(PartitionView view) {
        TopicView before = Objects.requireNonNull(topics.get(view.topic()));
        List<PartitionView> after = new ArrayList<>(before.partitions());
        after.set(view.index(), view);
        topics.put(view.topic(), new TopicView(view.topic(), view.topicId(), after));
        apply(List.of(), Set.of());
    }

    public void delete(String name) {
        TopicView gone = Objects.requireNonNull(topics.remove(name));
        apply(List.of(gone), Set.of());
    }

    /** A broker registers: from now on the image knows it by that epoch. */
    public void register(int brokerId, long brokerEpoch) {
        brokers.put(
                brokerId,
                new BrokerView(brokerId, brokerEpoch, Uuid.randomUuid(), false, false, null, Map.of(), List.of()));
        apply(List.of(), Set.of());
    }

    public void configure(String topic, Map<String, String> settings) {
        configs.put(topic, settings);
        apply(List.of(), Set.of(new ConfigResource(ConfigResource.Type.TOPIC, topic)));
    }

    public Map<String, TopicView> topics() {
        return topics;
    }

    public static PartitionView view(
            String topic,
            Uuid id,
            int index,
            int leaderEpoch,
            int partitionEpoch,
            int leader,
            List<Integer> replicas,
            Uuid directory) {
        return new PartitionView(
                topic,
                id,
                index,
                leader,
                leaderEpoch,
                partitionEpoch,
                replicas,
                replicas,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                replicas.stream().map(replica -> directory).toList(),
                false);
    }

    private void apply(List<TopicView> deleted, Set<ConfigResource> changedConfigs) {
        ClusterImage before = image();
        ImageBuilder builder = ClusterImage.builder().offset(before.offset() + 1);
        topics.values().forEach(builder::topic);
        brokers.values().forEach(builder::broker);
        configs.forEach(
                (topic, settings) -> builder.config(new ConfigResource(ConfigResource.Type.TOPIC, topic), settings));
        ClusterImage after = builder.build();
        synchronized (this) {
            image = after;
        }
        List<PartitionChange> changes = new ArrayList<>();
        for (TopicView topic : topics.values()) {
            for (PartitionView view : topic.partitions()) {
                PartitionView was = before.partition(topic.id(), view.index());
                if (!view.equals(was)) {
                    changes.add(new PartitionChange(was, view));
                }
            }
        }
        partitions.onChange(new ImageChange(before, after, deleted, changes, changedConfigs, Set.of(), false, false));
        partitions.applied().await();
    }

    @Override
    public CompletionStage<InSyncReplicasAnswer> propose(Uuid topicId, int index, InSyncReplicasProposal proposal) {
        proposals.add(proposal);
        return new CompletableFuture<>();
    }

    @Override
    public void assignDirectory(Uuid topicId, int index, Uuid directoryId) {
        assigned.add(directoryId);
    }

    @Override
    public void directoryFailed(Uuid directoryId) {
        failed.add(directoryId);
    }

    @Override
    public void onLeading(TopicPartition partition, int leaderEpoch, long logEndOffset, long highWatermark) {
        roles.add(partition + " leads");
    }

    @Override
    public void onRolesGiven() {
        roles.add("all given");
    }

    /** Ends in order, under a broker epoch. */
    public void close(long brokerEpoch) throws IOException {
        partitions.close(brokerEpoch);
        release();
    }

    @Override
    public void close() throws IOException {
        close(1);
    }

    /** Ends as if the process had been killed: nothing is written down. */
    public void kill() throws IOException {
        partitions.hosted().forEach(Partition::abandon);
        release();
    }

    private void release() throws IOException {
        disk.close();
        for (LogDirectory directory : directories) {
            directory.close();
        }
    }
}
