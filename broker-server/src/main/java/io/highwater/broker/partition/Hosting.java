package io.highwater.broker.partition;

import io.highwater.controlplane.PartitionView;
import io.highwater.storage.dir.PartitionDirectory.Kind;
import io.highwater.storage.dir.PendingDeletions;
import io.highwater.storage.log.LogOpening;
import io.highwater.storage.log.LogOpening.RecoveryProgress;
import io.highwater.storage.log.LogSettings;
import io.highwater.storage.log.PartitionLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings replicas into being and out of it: opens and creates their logs, in which directory, and what becomes of them when they
 * are deleted or their disk fails. Called by the thread that applies images, by recovery at the start, and by whoever meets a
 * disk failure.
 */
final class Hosting implements StorageFailures {
    private static final Logger LOG = LoggerFactory.getLogger(Hosting.class);
    private static final long SAY_EVERY_MS = 5_000;

    /** No directory's ids but words: from before there were directories, and not assigned yet. */
    private static final Set<Uuid> UNASSIGNED = Set.of(Uuid.ZERO_UUID, new Uuid(0, 1));

    private final List<DataDirectory> directories = new ArrayList<>();
    private final PartitionMap map;
    private final Function<String, LogSettings> settingsOf;
    private final LongSupplier producerExpirationMs;
    private final Supplier<ReplicaPatience> patience;
    private final PartitionServices services;
    private final Runnable onAllDirectoriesFailed;
    private final PendingDeletions deletions = new PendingDeletions();
    private final HomelessReplicas homeless = new HomelessReplicas();
    private final AtomicLong saidAtMs = new AtomicLong(-SAY_EVERY_MS);

    Hosting(
            PartitionMap map,
            Function<String, LogSettings> settingsOf,
            LongSupplier producerExpirationMs,
            Supplier<ReplicaPatience> patience,
            PartitionServices services,
            Runnable onAllDirectoriesFailed) {
        this.map = map;
        this.settingsOf = settingsOf;
        this.producerExpirationMs = producerExpirationMs;
        this.patience = patience;
        this.services = services;
        this.onAllDirectoriesFailed = onAllDirectoriesFailed;
    }

    /** Before anything else: where logs may live. */
    void use(List<DataDirectory> all) {
        directories.addAll(all);
    }

    List<DataDirectory> directories() {
        return directories;
    }

    PartitionServices services() {
        return services;
    }

    /**
     * Opens the log in a partition's directory and hosts it. May take long.
     *
     * @param known what is remembered of the log; kept for the next attempt if this one fails
     */
    Partition open(DataDirectory directory, TopicIdPartition replica, LastKnown known, RecoveryProgress progress)
            throws IOException {
        try {
            Partition hosted = host(directory, replica, known, progress);
            directory.opened(replica);
            return hosted;
        } catch (IOException e) {
            if (!known.equals(LastKnown.NOTHING)) {
                directory.couldNotOpen(replica, known);
            }
            throw e;
        }
    }

    private Partition host(
            DataDirectory directory, TopicIdPartition replica, LastKnown known, RecoveryProgress progress)
            throws IOException {
        TopicPartition partition = replica.topicPartition();
        LogOpening opening = new LogOpening(
                directory.files().pathOf(partition),
                partition,
                settingsOf.apply(partition.topic()),
                known.logStart(),
                known.recoveryPoint(),
                known.clean(),
                producerExpirationMs.getAsLong(),
                progress);
        LogErrands errands = new LogErrands(services.disk(), cause -> failed(directory, cause));
        PartitionLog log = PartitionLog.open(opening, errands, services.clock().wallMs());
        Partition hosted =
                new Partition(replica.topicId(), log, known.highWatermark(), patience.get(), services, this, errands);
        Partition twin = map.putIfAbsent(hosted);
        if (twin != null) {
            log.abandon();
            throw new IllegalStateException(partition + " is in two log directories: " + log.directory() + " and "
                    + twin.log().directory() + "; move the wrong one elsewhere");
        }
        directory.partitions().add(hosted);
        return hosted;
    }

    /**
     * Makes a replica that the controller wants here, or opens one that could not be before; null, and known as offline, if no directory
     * takes it. If that is because they are full, it is one of the {@link #homeless()}.
     */
    @Nullable
    Partition create(PartitionView view) {
        Uuid wanted = view.directoryOf(services.nodeId());
        TopicIdPartition replica = new TopicIdPartition(view.topicId(), view.topicPartition());
        boolean full = false;
        for (DataDirectory directory : candidates(replica, wanted)) {
            boolean fresh = !Files.exists(directory.files().pathOf(view.topicPartition()));
            try {
                directory.files().createPartitionDirectory(view.topicPartition(), view.topicId());
                LastKnown known = directory.unopened(replica);
                Partition created =
                        open(directory, replica, known == null ? LastKnown.NOTHING : known, RecoveryProgress.NONE);
                if (!directory.id().equals(wanted)) {
                    services.controller().assignDirectory(view.topicId(), view.index(), directory.id());
                }
                return created;
            } catch (IOException e) {
                if (fresh) {
                    leaveNothing(directory.files().pathOf(view.topicPartition()));
                }
                full |= DiskFull.isMeantBy(e);
                failed(directory, e);
            }
        }
        if (!full) {
            LOG.error("{} has no directory to live in (it should be in {})", view.topicPartition(), wanted);
        } else if (homeless.add(view.topicPartition())) {
            LOG.error("{} cannot be opened as long as the disk is full", view.topicPartition());
        }
        map.putOffline(view.topicPartition(), view.topicId());
        return null;
    }

    /** Another directory may take the replica now, or this one at the next attempt: neither is to find half of it here. */
    private static void leaveNothing(Path halfMade) {
        try {
            PendingDeletions.deleteTree(halfMade);
        } catch (IOException e) {
            LOG.debug("{} stays behind: {}", halfMade, e.toString());
        }
    }

    /** Those that wait for a disk to have room again. The applier's. */
    HomelessReplicas homeless() {
        return homeless;
    }

    /**
     * The directory that it lies in unopened, or that is asked for; or, if none is or it is not known, all of them, those with the fewest
     * logs first.
     */
    private List<DataDirectory> candidates(TopicIdPartition replica, Uuid wanted) {
        boolean allOnline = true;
        for (DataDirectory directory : directories) {
            if (directory.isOnline() && directory.unopened(replica) != null) {
                return List.of(directory);
            }
        }
        List<DataDirectory> online = new ArrayList<>();
        for (DataDirectory directory : directories) {
            if (directory.isOnline()) {
                online.add(directory);
            } else {
                allOnline = false;
            }
            if (directory.id().equals(wanted)) {
                return directory.isOnline() ? List.of(directory) : List.of();
            }
        }
        if (!allOnline && !UNASSIGNED.contains(wanted)) {
            // It may lie in one that is offline: a second one would be empty.
            return List.of();
        }
        online.sort(Comparator.comparingInt(directory -> directory.partitions().size()));
        return online;
    }

    /** The replica is not wanted any more; its files go after a while. */
    void remove(Partition partition, Errors reason) {
        partition.stop(reason);
        map.remove(partition.topicPartition(), partition.topicId());
        DataDirectory directory = directoryOf(partition);
        if (directory == null) {
            return;
        }
        directory.partitions().remove(partition);
        if (directory.isOnline()) {
            try {
                partition.abandon();
                Path renamed =
                        directory.files().rename(partition.log().directory(), partition.topicPartition(), Kind.DELETED);
                deleteLater(renamed, partition.log().settings().retention().fileDeleteDelayMs());
            } catch (IOException e) {
                failed(directory, e);
            }
        }
        services.events().onRemoved(partition.topicPartition());
    }

    /** Deletes a directory that nothing names any more. */
    void deleteLater(Path path, long delayMs) {
        deletions.add(path, services.clock().wallMs() + delayMs);
        services.disk()
                .after(
                        delayMs + 1,
                        "deletion of " + path,
                        () -> deletions.deleteDue(services.clock().wallMs()));
    }

    @Override
    public void onFailure(Partition partition, Throwable cause) {
        if (partition.isGone()) {
            return; // its files were closed under somebody's hands
        }
        if (DiskFull.isMeantBy(cause) || cause instanceof CorruptRecordException) {
            DataDirectory full = DiskFull.isMeantBy(cause) ? directoryOf(partition) : null;
            if (full != null) {
                full.onFull();
            }
            sayOnline(partition, cause);
            return;
        }
        boolean disk = cause instanceof IOException || cause instanceof UncheckedIOException;
        boolean ours = cause instanceof RuntimeException && !disk && !(cause instanceof RejectedExecutionException);
        services.events().onStorageFailure(partition.topicPartition(), cause, disk || ours);
        DataDirectory directory = disk ? directoryOf(partition) : null;
        if (directory != null) {
            failed(directory, cause);
        } else if (ours) {
            partition.stop(Errors.KAFKA_STORAGE_ERROR);
        }
    }

    @Override
    public boolean refusesRecords(Partition partition) {
        for (DataDirectory directory : directories) {
            if (directory.refusesRecords() && directory.partitions().contains(partition)) {
                return true;
            }
        }
        return false;
    }

    /** Only this write or read has failed. */
    private void sayOnline(Partition partition, Throwable cause) {
        if (isTimeToSay()) {
            services.events().onStorageFailure(partition.topicPartition(), cause, false);
        }
    }

    /** Clients try again and again: it is enough to say it now and then. */
    private boolean isTimeToSay() {
        long nowMs = services.clock().monotonicMs();
        long saidMs = saidAtMs.get();
        return nowMs - saidMs >= SAY_EVERY_MS && saidAtMs.compareAndSet(saidMs, nowMs);
    }

    /** A directory cannot be used any more, unless it is merely full. */
    void failed(DataDirectory directory, Throwable cause) {
        if (DiskFull.isMeantBy(cause)) {
            directory.onFull();
            if (isTimeToSay()) {
                LOG.error("Log directory {} is full: {}", directory, cause.toString());
            }
            return;
        }
        if (!directory.takeOffline()) {
            return;
        }
        LOG.error("Log directory {} failed and is offline from now on", directory, cause);
        directory.partitions().forEach(partition -> partition.stop(Errors.KAFKA_STORAGE_ERROR));
        services.controller().directoryFailed(directory.id());
        if (directories.stream().noneMatch(DataDirectory::isOnline)) {
            onAllDirectoriesFailed.run();
        }
    }

    LogSettings settingsOf(String topic) {
        return settingsOf.apply(topic);
    }

    ReplicaPatience patience() {
        return patience.get();
    }

    /** Takes a replica off the map and out of its directory's list; its files stay. */
    void forget(Partition partition) {
        map.remove(partition.topicPartition(), partition.topicId());
        directories.forEach(directory -> directory.partitions().remove(partition));
    }

    /** The directory at that path, or null. */
    @Nullable
    DataDirectory directoryAt(Path path) {
        Path wanted = path.toAbsolutePath().normalize();
        for (DataDirectory directory : directories) {
            if (directory.files().path().toAbsolutePath().normalize().equals(wanted)) {
                return directory;
            }
        }
        return null;
    }

    /** The directory that a replica lies in, or null. */
    @Nullable
    DataDirectory directoryOf(Partition partition) {
        for (DataDirectory directory : directories) {
            if (directory.partitions().contains(partition)) {
                return directory;
            }
        }
        return null;
    }
}
