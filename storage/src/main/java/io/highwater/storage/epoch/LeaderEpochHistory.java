package io.highwater.storage.epoch;

import io.highwater.storage.dir.DurableFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which leader epoch began at which offset, for one partition. Invariant: epochs and start offsets both rise strictly.
 *
 * <p>Changes belong to the partition's lock and touch memory only; {@link #flush} brings the file up to date and may run on any
 * thread, later. What is lost between the two, recovery finds again in the batches. Readers need no lock.
 */
public final class LeaderEpochHistory {
    /** The file in the partition's directory. */
    public static final String FILE_NAME = "leader-epoch-checkpoint";

    /** No such epoch, or no such offset. */
    public static final int UNDEFINED = -1;

    private final Object fileMonitor = new Object();

    /** Guarded by {@link #fileMonitor}; a rename of the directory changes it. */
    private Path file;

    /** What the file holds; guarded by {@link #fileMonitor}. */
    private @Nullable List<LeaderEpoch> flushed;

    /** Replaced as a whole under the partition's lock, never changed in place. */
    private volatile List<LeaderEpoch> epochs;

    private LeaderEpochHistory(Path file, List<LeaderEpoch> epochs, @Nullable List<LeaderEpoch> flushed) {
        this.file = file;
        this.epochs = epochs;
        this.flushed = flushed;
    }

    /**
     * Where an epoch ended.
     *
     * @param epoch the largest known epoch up to the one asked for, or {@link #UNDEFINED}
     * @param endOffset its end (exclusive), or {@link #UNDEFINED}
     */
    public record EpochEnd(int epoch, long endOffset) {
        /** Nothing is known. */
        public static final EpochEnd NONE = new EpochEnd(UNDEFINED, UNDEFINED);

        public boolean isKnown() {
            return endOffset != UNDEFINED;
        }
    }

    /**
     * Reads the history of the partition that lives in a directory; a missing or empty file is an empty history.
     *
     * @throws IOException if the file cannot be read or is not what it should be, with path and line
     */
    public static LeaderEpochHistory open(Path partitionDirectory) throws IOException {
        Path file = partitionDirectory.resolve(FILE_NAME);
        List<LeaderEpoch> read = LeaderEpochFile.read(file);
        List<LeaderEpoch> rising = List.of();
        for (LeaderEpoch next : read) {
            rising = with(rising, next);
        }
        return new LeaderEpochHistory(file, rising, read.isEmpty() ? null : read);
    }

    /**
     * Notes that an epoch begins at an offset. Later entries that contradict it are dropped.
     *
     * @return whether anything changed, and so whether a flush is due
     */
    public boolean assign(int epoch, long startOffset) {
        LeaderEpoch latest = latest();
        if (latest != null && latest.epoch() == epoch && latest.startOffset() <= startOffset) {
            return false; // the usual case, once per batch
        }
        epochs = with(epochs, new LeaderEpoch(epoch, startOffset));
        return true;
    }

    /**
     * Forgets epochs that began at or after the new log end.
     *
     * @return whether anything changed
     */
    public boolean truncateFromEnd(long endOffset) {
        List<LeaderEpoch> now = epochs;
        int keep = now.size();
        while (keep > 0 && now.get(keep - 1).startOffset() >= endOffset) {
            keep--;
        }
        if (keep == now.size()) {
            return false;
        }
        epochs = List.copyOf(now.subList(0, keep));
        return true;
    }

    /**
     * Forgets epochs that ended before the new log start; the one that covers it begins there from now on.
     *
     * @return whether anything changed
     */
    public boolean truncateFromStart(long startOffset) {
        List<LeaderEpoch> now = epochs;
        int dropped = 0;
        while (dropped < now.size() && now.get(dropped).startOffset() <= startOffset) {
            dropped++;
        }
        if (dropped == 0) {
            return false;
        }
        List<LeaderEpoch> kept = new ArrayList<>(now.size() - dropped + 1);
        kept.add(new LeaderEpoch(now.get(dropped - 1).epoch(), startOffset));
        kept.addAll(now.subList(dropped, now.size()));
        if (kept.equals(now)) {
            return false;
        }
        epochs = List.copyOf(kept);
        return true;
    }

    /**
     * Forgets epochs above {@code epoch}.
     *
     * @return whether anything changed
     */
    public boolean forgetAbove(int epoch) {
        List<LeaderEpoch> kept =
                epochs.stream().filter(known -> known.epoch() <= epoch).toList();
        boolean changed = kept.size() < epochs.size();
        epochs = kept;
        return changed;
    }

    /** Forgets everything. */
    public void clear() {
        epochs = List.of();
    }

    /** The newest epoch, or null if there is none. */
    public @Nullable LeaderEpoch latest() {
        List<LeaderEpoch> now = epochs;
        return now.isEmpty() ? null : now.get(now.size() - 1);
    }

    /** The newest epoch, or {@link #UNDEFINED}. */
    public int latestEpoch() {
        LeaderEpoch latest = latest();
        return latest == null ? UNDEFINED : latest.epoch();
    }

    /** The epoch an offset was written in, or {@link #UNDEFINED} if it lies before all of them. */
    public int epochAt(long offset) {
        int epoch = UNDEFINED;
        for (LeaderEpoch entry : epochs) {
            if (entry.startOffset() > offset) {
                break;
            }
            epoch = entry.epoch();
        }
        return epoch;
    }

    /**
     * Where an epoch ended, as a follower or client asks to find the point where two logs part.
     *
     * @param epoch the epoch asked for, {@link #UNDEFINED} is answered with {@link EpochEnd#NONE}
     * @param logEndOffset the end of the epoch that is still going on
     */
    public EpochEnd endOffsetFor(int epoch, long logEndOffset) {
        List<LeaderEpoch> now = epochs;
        if (epoch == UNDEFINED || now.isEmpty()) {
            return EpochEnd.NONE;
        }
        int higher = 0;
        while (higher < now.size() && now.get(higher).epoch() <= epoch) {
            higher++;
        }
        if (higher == now.size()) {
            return now.get(higher - 1).epoch() == epoch ? new EpochEnd(epoch, logEndOffset) : EpochEnd.NONE;
        }
        int found = higher == 0 ? epoch : now.get(higher - 1).epoch();
        return new EpochEnd(found, now.get(higher).startOffset());
    }

    /** All epochs, rising. */
    public List<LeaderEpoch> entries() {
        return epochs;
    }

    /**
     * Brings the file up to date if it is not, through a temporary file and an fsync; safe from any thread.
     *
     * @throws IOException if the disk failed; the file is then the old one or the new one, never a mixture
     */
    public void flush() throws IOException {
        synchronized (fileMonitor) {
            List<LeaderEpoch> now = epochs;
            if (!now.equals(flushed)) {
                DurableFiles.replace(file, LeaderEpochFile.format(now));
                flushed = now;
            }
        }
    }

    /** Follows a rename of the partition's directory. */
    public void moveTo(Path partitionDirectory) {
        synchronized (fileMonitor) {
            file = partitionDirectory.resolve(FILE_NAME);
        }
    }

    private static List<LeaderEpoch> with(List<LeaderEpoch> epochs, LeaderEpoch added) {
        int keep = epochs.size();
        while (keep > 0 && contradicts(epochs.get(keep - 1), added)) {
            keep--;
        }
        List<LeaderEpoch> changed = new ArrayList<>(epochs.subList(0, keep));
        changed.add(added);
        return List.copyOf(changed);
    }

    private static boolean contradicts(LeaderEpoch known, LeaderEpoch added) {
        return known.epoch() >= added.epoch() || known.startOffset() >= added.startOffset();
    }
}
