package io.highwater.broker.partition;

import io.highwater.broker.config.LiveConfig;
import io.highwater.broker.metrics.ReplicaSample;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ImageChange;
import io.highwater.controlplane.ImageListener;
import io.highwater.controlplane.PartitionChange;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import io.highwater.replication.Leadership;
import io.highwater.storage.dir.CleanShutdown;
import io.highwater.storage.dir.LogDirectory;
import io.highwater.storage.log.LogSettings;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions hosted by this broker. Lookups from any thread, without a lock. Images are applied in order on a thread of
 * its own; the first one opens the logs that are found on disk.
 */
public final class Partitions implements ImageListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Partitions.class);
    private static final long CLOSE_WAIT_SECONDS = 60;

    private final LiveConfig config;
    private final PartitionServices services;
    private final PartitionMap map;
    private final Hosting hosting;
    private final Upkeep upkeep;
    private final ServingWaits waits;
    private final ReplicaMoves moves;
    private final ExecutorService applier = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "highwater-partitions");
        thread.setDaemon(true);
        return thread;
    });
    private final Promise<Void> loaded = Promise.promise();

    /** The applier's: what it works with, and whether the logs have been opened. */
    private volatile ClusterImage appliedImage = ClusterImage.empty();

    private boolean opened;

    /**
     * No partitions yet.
     *
     * @param image the newest
     * @param onAllDirectoriesFailed called when nothing can be stored any more: the process has to end
     */
    public Partitions(
            LiveConfig config,
            Supplier<ClusterImage> image,
            PartitionServices services,
            Runnable onAllDirectoriesFailed) {
        this.config = config;
        this.services = services;
        this.map = new PartitionMap(image);
        this.hosting = new Hosting(
                map,
                this::settingsOf,
                () -> config.current().getInt("producer.id.expiration.ms"),
                () -> new ReplicaPatience(
                        config.current().getLong("replica.lag.time.max.ms"),
                        config.current().getLong("highwater.isr.disconnect.grace.ms")),
                services,
                onAllDirectoriesFailed);
        this.upkeep = new Upkeep(services.disk(), map, hosting, this::retryHomeless);
        this.waits = new ServingWaits(services.deadlines());
        this.moves = new ReplicaMoves(hosting, map, applier, this::giveRole);
        config.onChange(now -> applier.execute(() -> refresh(map.all())));
    }

    /**
     * Takes the directories, and the markers that tell whether their logs were closed in order. To be called once, before this
     * listens to images.
     *
     * @param directories open and formatted; closed by the caller, after {@link #close}
     * @return the broker epoch of the process before, -1 if it did not end in order everywhere
     * @throws IOException if a marker cannot be read or removed
     */
    public long use(List<LogDirectory> directories) throws IOException {
        List<DataDirectory> all = new ArrayList<>();
        long epoch = -1;
        boolean allClean = true;
        for (LogDirectory directory : directories) {
            CleanShutdown marker = directory.takeCleanShutdown();
            allClean &= marker != null && (epoch == -1 || epoch == marker.brokerEpoch());
            epoch = marker == null ? epoch : marker.brokerEpoch();
            all.add(new DataDirectory(directory, marker != null));
        }
        hosting.use(all);
        return allClean ? epoch : -1;
    }

    /** Completes when the logs on disk are open and the first image is applied: from then on this broker can serve. */
    public Future<Void> loaded() {
        return loaded.future();
    }

    /** Completes when every image that has been told so far is applied. */
    public Future<Void> applied() {
        Promise<Void> promise = Promise.promise();
        applier.execute(promise::complete);
        return promise.future();
    }

    /** For whoever meets a failing disk elsewhere: see {@link StorageFailures}. */
    void onFailure(Partition partition, Throwable cause) {
        hosting.onFailure(partition, cause);
    }

    @Override
    public void onChange(ImageChange change) {
        applier.execute(() -> {
            try {
                apply(change);
                services.events().onRolesGiven();
                loaded.tryComplete();
            } catch (RuntimeException e) {
                LOG.error(
                        "The image of offset {} could not be applied",
                        change.after().offset(),
                        e);
                loaded.tryFail(e);
            }
        });
    }

    private void apply(ImageChange change) {
        appliedImage = change.after();
        if (!opened) {
            opened = true;
            new LogLoading(hosting, services.nodeId(), change.after(), services.clock())
                    .load(hosting.directories(), config.current().getInt("num.recovery.threads.per.data.dir"));
            upkeep.start(config.current());
        }
        for (TopicView topic : change.deletedTopics()) {
            for (Partition partition : map.ofTopic(topic.name())) {
                if (partition.topicId().equals(topic.id())) {
                    hosting.remove(partition, Errors.UNKNOWN_TOPIC_OR_PARTITION);
                }
            }
            map.removeTopic(topic.id());
        }
        for (PartitionChange changed : change.changedPartitions()) {
            PartitionView view = changed.after();
            try {
                apply(view);
            } catch (RuntimeException e) {
                LOG.error("{} could not be brought to what the controller wants: {}", view.topicPartition(), view, e);
            }
        }
        for (ConfigResource resource : change.changedConfigs()) {
            if (resource.type() == ConfigResource.Type.TOPIC) {
                refresh(map.ofTopic(resource.name()));
            }
        }
    }

    private void apply(PartitionView view) {
        Partition partition = map.find(view.topicPartition());
        if (!view.assignedTo(services.nodeId())) {
            if (partition != null && partition.topicId().equals(view.topicId())) {
                hosting.remove(partition, Errors.NOT_LEADER_OR_FOLLOWER);
            }
            map.remove(view.topicPartition(), view.topicId());
            return;
        }
        if (partition == null) {
            partition = hosting.create(view);
        }
        if (partition == null) {
            return;
        }
        giveRole(partition, view);
    }

    /** The disk may have room again for what it had none for. */
    void retryHomeless() {
        applier.execute(() -> hosting.homeless().retry(this::isSettled));
    }

    private boolean isSettled(TopicPartition homeless) {
        PartitionView view = appliedImage.partition(homeless.topic(), homeless.partition());
        if (view == null || !view.assignedTo(services.nodeId())) {
            return true;
        }
        if (map.find(homeless) == null) {
            apply(view);
            services.events().onRolesGiven();
        }
        return map.find(homeless) != null;
    }

    private void giveRole(TopicPartition name) {
        PartitionView view = appliedImage.partition(name.topic(), name.partition());
        Partition partition = map.find(name);
        if (view != null && partition != null) {
            giveRole(partition, view);
            services.events().onRolesGiven();
        }
    }

    private void giveRole(Partition partition, PartitionView view) {
        partition.assign(Assignment.of(view));
        if (view.leader() == services.nodeId()) {
            partition.lead(
                    new Leadership(view.leaderEpoch(), view.partitionEpoch(), view.replicas(), view.inSyncReplicas()));
            waits.onServing(view.topicPartition());
        } else {
            partition.follow(view.leader(), view.leaderEpoch(), view.partitionEpoch());
        }
    }

    private LogSettings settingsOf(String topic) {
        return LogSettings.of(config.current()
                .topicConfig(appliedImage.config(new ConfigResource(ConfigResource.Type.TOPIC, topic))));
    }

    private void refresh(Collection<Partition> partitions) {
        for (Partition partition : partitions) {
            LogSettings settings = settingsOf(partition.topicPartition().topic());
            partition.updateSettings(settings, hosting.patience());
        }
    }

    /** By topic name; the error of a miss is UNKNOWN_TOPIC_OR_PARTITION, NOT_LEADER_OR_FOLLOWER or KAFKA_STORAGE_ERROR. */
    public PartitionLookup lookup(String topic, int index) {
        return map.lookup(topic, index);
    }

    /** By topic id; as above, and UNKNOWN_TOPIC_ID if no topic has the id. */
    public PartitionLookup lookup(Uuid topicId, int index) {
        return map.lookup(topicId, index);
    }

    /** True if this broker leads that partition and would take a write now: what CreateTopics waits for. */
    public boolean isServing(String topic, int index) {
        Partition partition = map.find(new TopicPartition(topic, index));
        return partition != null && partition.isLeader();
    }

    /** Completes with true as soon as {@link #isServing} holds, with false if it does not within {@code timeoutMs}. */
    public Future<Boolean> whenServing(String topic, int index, long timeoutMs) {
        TopicPartition partition = new TopicPartition(topic, index);
        return waits.await(partition, timeoutMs, () -> isServing(topic, index));
    }

    /** All hosted partitions, a weakly consistent view. */
    public Collection<Partition> hosted() {
        return map.all();
    }

    /** What is to be told of each replica here that works; each is locked by itself, for a moment. */
    public List<ReplicaSample> sample() {
        List<ReplicaSample> samples = new ArrayList<>();
        for (Partition partition : map.all()) {
            if (!partition.isGone()) {
                samples.add(partition.sample());
            }
        }
        return samples;
    }

    /** How many replicas should be here and do not work because of their disk. */
    public int offlineCount() {
        return map.offlineCount();
    }

    /**
     * Starts to move a replica to another log directory, in place of a move that may be under way; the directory that it lies in only ends that
     * one.
     *
     * @return LOG_DIR_NOT_FOUND, KAFKA_STORAGE_ERROR or REPLICA_NOT_AVAILABLE if it cannot be
     */
    public Errors move(TopicPartition partition, Path destination) {
        return moves.start(partition, destination);
    }

    /** The log directories. */
    public List<DirectoryView> directories() {
        return hosting.directories().stream()
                .map(directory -> new DirectoryView(
                        directory.files().path(),
                        directory.id(),
                        directory.isOnline(),
                        List.copyOf(directory.partitions()),
                        moves.arrivingIn(directory)))
                .toList();
    }

    /**
     * Stops in order: nobody is served any more, watermarks are written down, logs closed, recovery points and log starts written
     * down, and each directory marked as clean. Blocks for the disks. A directory that fails meanwhile is not marked.
     */
    @Override
    public void close() {
        close(-1);
    }

    /**
     * As {@link #close()}.
     *
     * @param brokerEpoch of the registration that ends, for the marker
     */
    public void close(long brokerEpoch) {
        if (endApplying()) {
            new OrderlyClose(hosting, services.disk()).close(brokerEpoch);
        }
    }

    /**
     * Stops as the death of the process would, for tests: nobody is served any more, and nothing is written down. The directories are as if their
     * logs were still in use.
     */
    public void abandon() {
        if (endApplying()) {
            for (Partition partition : map.all()) {
                partition.stop(Errors.NOT_LEADER_OR_FOLLOWER);
                partition.abandon();
            }
        }
    }

    /** Nothing changes any more; false if there is nothing to close. */
    private boolean endApplying() {
        upkeep.end();
        moves.end();
        applier.shutdown();
        try {
            if (!applier.awaitTermination(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("An image is still being applied after {} s", CLOSE_WAIT_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        boolean wasOpen = opened;
        opened = false;
        return wasOpen;
    }
}
