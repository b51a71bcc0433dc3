package io.highwater.broker.partition;

import io.highwater.storage.dir.PartitionDirectory.Kind;
import io.highwater.storage.log.LogOpening.RecoveryProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves replicas from one log directory of this broker to another. Full segments are copied while the replica serves. Then it stops for as long
 * as the rest takes, at most one segment; whoever asks meanwhile is told NOT_LEADER_OR_FOLLOWER and comes again. Until the copy has
 * its place the old files are the replica, so that a failure or crash on the way loses nothing.
 *
 * <p>Asked from any thread; copies on disk workers; the switch is made by the thread that applies images, so that no image comes in
 * between.
 */
final class ReplicaMoves {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaMoves.class);

    private final Hosting hosting;
    private final PartitionMap map;
    private final Executor applier;
    private final Consumer<TopicPartition> giveRole;

    /** Guarded by this. */
    private final Map<TopicPartition, Move> moves = new HashMap<>();

    /** @param giveRole brings a replica without a role to what the image that holds says of it; called on {@code applier} */
    ReplicaMoves(Hosting hosting, PartitionMap map, Executor applier, Consumer<TopicPartition> giveRole) {
        this.hosting = hosting;
        this.map = map;
        this.applier = applier;
        this.giveRole = giveRole;
    }

    /** One move under way. It is over when it is not in the map any more. */
    private record Move(Partition partition, DataDirectory from, DataDirectory to, Path copyPath, LogCopy copy) {
        TopicPartition name() {
            return partition.topicPartition();
        }
    }

    /**
     * Starts a move, in place of one that may be under way; a move to where the replica lies only ends that one.
     *
     * @return LOG_DIR_NOT_FOUND, KAFKA_STORAGE_ERROR or REPLICA_NOT_AVAILABLE if it cannot be
     */
    Errors start(TopicPartition name, Path destination) {
        DataDirectory to = hosting.directoryAt(destination);
        if (to == null) {
            return Errors.LOG_DIR_NOT_FOUND;
        }
        PartitionLookup found = map.lookup(name.topic(), name.partition());
        Partition partition = found.partition();
        if (!to.isOnline() || found.error() == Errors.KAFKA_STORAGE_ERROR) {
            return Errors.KAFKA_STORAGE_ERROR;
        }
        DataDirectory from = partition == null ? null : hosting.directoryOf(partition);
        if (partition == null || from == null) {
            return Errors.REPLICA_NOT_AVAILABLE;
        }
        try {
            return start(partition, from, to);
        } catch (IOException e) {
            hosting.failed(to, e);
            return Errors.KAFKA_STORAGE_ERROR;
        }
    }

    /** What is on its way into a directory. */
    synchronized List<ArrivingReplica> arrivingIn(DataDirectory directory) {
        return moves.values().stream()
                .filter(move -> move.to() == directory)
                .map(move -> new ArrivingReplica(
                        move.name(),
                        move.copy().copiedBytes(),
                        Math.max(
                                0, move.partition().logEndOffset() - move.copy().copiedTo())))
                .toList();
    }

    /** Every move comes to nothing: the broker stops. */
    synchronized void end() {
        moves.values().forEach(this::discard);
        moves.clear();
    }

    private synchronized Errors start(Partition partition, DataDirectory from, DataDirectory to) throws IOException {
        TopicPartition name = partition.topicPartition();
        Move former = moves.get(name);
        if (former != null && former.to() == to) {
            return Errors.NONE;
        }
        if (former != null) {
            moves.remove(name);
            LOG.info("{} is no longer moved to {}", name, former.to());
        }
        if (from == to) {
            return Errors.NONE;
        }
        Path copyPath = to.files().createFutureDirectory(name);
        Move move = new Move(
                partition, from, to, copyPath, new LogCopy(partition.log().directory(), copyPath));
        moves.put(name, move);
        LOG.info("{} is being moved from {} to {}", name, from, to);
        var unused = hosting.services().disk().run(() -> copyFull(move)).onFailure(cause -> giveUp(move, cause));
        return Errors.NONE;
    }

    private synchronized boolean isOver(Move move) {
        return !move.equals(moves.get(move.name()));
    }

    private synchronized boolean end(Move move) {
        return moves.remove(move.name(), move);
    }

    private void copyFull(Move move) throws IOException {
        move.copy().copyFull(() -> isOver(move));
        if (isOver(move)) {
            discard(move);
            return;
        }
        try {
            applier.execute(() -> finish(move));
        } catch (RejectedExecutionException e) {
            discard(move);
        }
    }

    private void giveUp(Move move, Throwable cause) {
        if (end(move)) {
            discard(move);
            LOG.error("{} stays in {}: the copy in {} failed", move.name(), move.from(), move.to(), cause);
        }
    }

    /** The applier's. */
    private void finish(Move move) {
        Partition partition = move.partition();
        if (!end(move) || map.find(move.name()) != partition || partition.isGone()) {
            discard(move);
            return;
        }
        partition.stop(Errors.NOT_LEADER_OR_FOLLOWER);
        hosting.services().events().onRemoved(move.name());
        boolean clean = true;
        try {
            partition.close();
        } catch (IOException e) {
            LOG.warn("{} stays in {}, it could not be closed in order", move.name(), move.from(), e);
            discard(move);
            clean = false;
        }
        hosting.forget(partition);
        DataDirectory home = clean && place(move) ? move.to() : move.from();
        reopen(partition, home, clean);
    }

    /**
     * Puts the completed copy in its place and the old files aside; false if the replica stays where it was. A failure may be the fault of
     * either disk: the one to blame will be found out when it is used next.
     */
    private boolean place(Move move) {
        try {
            move.copy().complete();
            move.to().files().promote(move.copyPath(), move.name());
        } catch (IOException e) {
            LOG.error("{} stays in {}: the copy in {} failed", move.name(), move.from(), move.to(), e);
            discard(move);
            return false;
        }
        Partition partition = move.partition();
        try {
            Path old = move.from().files().rename(partition.log().directory(), move.name(), Kind.DELETED);
            hosting.deleteLater(old, partition.log().settings().retention().fileDeleteDelayMs());
        } catch (IOException e) {
            hosting.failed(move.from(), e);
        }
        return true;
    }

    private void reopen(Partition closed, DataDirectory home, boolean clean) {
        TopicPartition name = closed.topicPartition();
        TopicIdPartition replica = new TopicIdPartition(closed.topicId(), name);
        try {
            Partition opened = hosting.open(home, replica, LastKnown.of(closed, clean), RecoveryProgress.NONE);
            giveRole.accept(name);
            LOG.info("{} is in {}, log end {}", name, home, opened.logEndOffset());
        } catch (IOException e) {
            map.putOffline(name, closed.topicId());
            if (DiskFull.isMeantBy(e)) {
                hosting.homeless().add(name);
            }
            hosting.failed(home, e);
            return;
        }
        writeDown(home);
        hosting.services().controller().assignDirectory(closed.topicId(), name.partition(), home.id());
    }

    /** A crash would leave nothing in this directory that says where the log starts and what of it was committed. */
    private void writeDown(DataDirectory home) {
        try {
            home.checkpointLogStarts();
            home.checkpointHighWatermarks();
            home.checkpointRecoveryPoints();
        } catch (IOException e) {
            hosting.failed(home, e);
        }
    }

    private void discard(Move move) {
        hosting.deleteLater(move.copyPath(), 0);
    }
}
