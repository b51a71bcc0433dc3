package io.highwater.broker.partition;

import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.highwater.storage.dir.DirectoryRefusedException;
import io.highwater.storage.dir.PartitionDirectory;
import io.highwater.storage.dir.PartitionDirectory.Kind;
import io.highwater.storage.dir.PartitionMetadata;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the logs that a broker finds at its start, those of a directory in parallel, and says how it goes on when it takes
 * long. Blocks; on threads of its own, since it is over before anything else has to be done.
 */
final class LogLoading {
    private static final Logger LOG = LoggerFactory.getLogger(LogLoading.class);
    private static final long SAY_EVERY_MS = 2_000;

    /** What an earlier process had dropped is deleted a while after the start, when there is less to do. */
    private static final long DELETE_DELAY_MS = 60_000;

    private final Hosting hosting;
    private final int nodeId;
    private final ClusterImage image;
    private final Clock clock;
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger total = new AtomicInteger();
    private volatile long saidAtMs;

    LogLoading(Hosting hosting, int nodeId, ClusterImage image, Clock clock) {
        this.hosting = hosting;
        this.nodeId = nodeId;
        this.image = image;
        this.clock = clock;
        this.saidAtMs = clock.monotonicMs();
    }

    /** Opens everything; a directory that cannot be read is reported to {@link Hosting} and left out. */
    List<Partition> load(List<DataDirectory> directories, int threadsPerDirectory) {
        long startMs = clock.monotonicMs();
        List<ExecutorService> pools = new ArrayList<>();
        List<Future<@Nullable Partition>> pending = new ArrayList<>();
        try {
            for (var found : find(directories).entrySet()) {
                ExecutorService pool = Executors.newFixedThreadPool(threadsPerDirectory, task -> {
                    Thread thread = new Thread(task, "highwater-recovery");
                    thread.setDaemon(true);
                    return thread;
                });
                pools.add(pool);
                begin(found.getKey(), found.getValue(), pool, pending);
            }
            List<Partition> loaded = new ArrayList<>();
            for (Future<@Nullable Partition> one : pending) {
                Partition partition = one.get();
                if (partition != null) {
                    loaded.add(partition);
                }
            }
            if (!loaded.isEmpty()) {
                LOG.info("Opened {} logs in {} ms", loaded.size(), clock.monotonicMs() - startMs);
            }
            return loaded;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while opening logs", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a log could not be opened", e.getCause());
        } finally {
            pools.forEach(ExecutorService::shutdownNow);
        }
    }

    private Map<DataDirectory, List<PartitionDirectory>> find(List<DataDirectory> directories) {
        Map<DataDirectory, List<PartitionDirectory>> found = new LinkedHashMap<>();
        for (DataDirectory directory : directories) {
            try {
                found.put(directory, directory.files().partitionDirectories());
            } catch (DirectoryRefusedException e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        }
        new ReplicaTwins(nodeId, image).settle(found);
        return found;
    }

    private void begin(
            DataDirectory directory,
            List<PartitionDirectory> found,
            ExecutorService pool,
            List<Future<@Nullable Partition>> pending) {
        Checkpoints checkpoints = Checkpoints.of(directory.files());
        for (PartitionDirectory one : found) {
            switch (one.kind()) {
                case LIVE -> {
                    total.incrementAndGet();
                    pending.add(pool.submit(() -> load(directory, one, checkpoints)));
                }
                case DELETED -> hosting.deleteLater(one.path(), DELETE_DELAY_MS);
                case STRAY -> LOG.info("{} is left to its administrator: no metadata names it", one.path());
                case FUTURE -> {
                    // The replica that it was to replace is whole as long as this has not taken its place.
                    LOG.info("{} is the beginning of a move that was not finished; it is deleted", one.path());
                    hosting.deleteLater(one.path(), DELETE_DELAY_MS);
                }
            }
        }
    }

    private @Nullable Partition load(DataDirectory directory, PartitionDirectory found, Checkpoints checkpoints) {
        try {
            PartitionView view = viewOf(found);
            if (view == null) {
                Path strayed = directory.files().rename(found.path(), found.partition(), Kind.STRAY);
                LOG.warn("{} is not this broker's any more; it is kept as {}", found.path(), strayed.getFileName());
                return null;
            }
            Partition partition = hosting.open(
                    directory,
                    new TopicIdPartition(view.topicId(), found.partition()),
                    checkpoints.of(found.partition(), directory.isClean()),
                    this::sayRecovering);
            say(directory, found);
            return partition;
        } catch (IOException e) {
            hosting.failed(directory, e);
            return null;
        }
    }

    /** What the image says of a directory's partition; null if it is none of this broker's. */
    private @Nullable PartitionView viewOf(PartitionDirectory found) throws IOException {
        Uuid topicId = PartitionMetadata.readTopicId(found.path());
        PartitionView view = topicId == null
                ? null
                : image.partition(topicId, found.partition().partition());
        return view != null && view.assignedTo(nodeId) ? view : null;
    }

    private void say(DataDirectory directory, PartitionDirectory last) {
        int done = opened.incrementAndGet();
        if (isTimeToSay()) {
            LOG.info("{} of {} logs opened, the last one {} in {}", done, total.get(), last.partition(), directory);
        }
    }

    private void sayRecovering(TopicPartition partition, int segment, int segments) {
        if (isTimeToSay()) {
            LOG.info(
                    "{} of {} logs opened; {}: {} of {} segments recovered",
                    opened.get(),
                    total.get(),
                    partition,
                    segment,
                    segments);
        }
    }

    private boolean isTimeToSay() {
        long nowMs = clock.monotonicMs();
        if (nowMs - saidAtMs < SAY_EVERY_MS) {
            return false;
        }
        saidAtMs = nowMs;
        return true;
    }
}
