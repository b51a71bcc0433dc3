package io.highwater.broker.peer;

import io.highwater.broker.partition.Partition;
import io.highwater.replication.FetchPosition;
import java.util.Objects;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** One partition in one fetcher: where it stands, what the leader was told of that, and whether it has to wait. Its event loop's. */
final class FollowedPartition {
    private static final int FIRST_BACKOFF_MS = 20;

    private final Partition partition;

    private @Nullable FetchPosition position;
    private @Nullable FetchPosition told;

    /** A cut or a question about bounds is under way: nothing is asked meanwhile. */
    private boolean occupied;

    /** The leader has committed what is not here yet, or has not been asked. */
    private boolean lags = true;

    private long retryAtMs;
    private int failures;
    private Errors lastError = Errors.NONE;
    private boolean gone;

    FollowedPartition(Partition partition) {
        this.partition = partition;
    }

    Partition partition() {
        return partition;
    }

    Uuid topicId() {
        return partition.topicId();
    }

    int index() {
        return partition.topicPartition().partition();
    }

    /** Looks where it stands; true if there is something to ask {@code leaderId}, now or later. */
    boolean look(int leaderId) {
        FetchPosition now = partition.following().next();
        position = now != null && now.leaderId() == leaderId ? now : null;
        return position != null;
    }

    /** Where it stood when last looked. */
    FetchPosition position() {
        return Objects.requireNonNull(position);
    }

    boolean hasPosition() {
        return position != null;
    }

    /** What the leader was told last, and so what its answer is about; null if nothing yet. */
    @Nullable
    FetchPosition told() {
        return told;
    }

    void tell(FetchPosition now) {
        told = now;
    }

    /** The leader has committed so much. */
    void behind(long leaderHighWatermark) {
        lags = leaderHighWatermark > partition.logEndOffset();
    }

    boolean lags() {
        return lags;
    }

    boolean isOccupied() {
        return occupied;
    }

    void occupy() {
        occupied = true;
    }

    void free() {
        occupied = false;
    }

    /** It goes well: the next failure is the first again. */
    void succeeded() {
        failures = 0;
        retryAtMs = 0;
        lastError = Errors.NONE;
    }

    /**
     * It does not: wait longer each time, up to {@code maxMs}.
     *
     * @return whether this is worth a line in the log: the first of its kind
     */
    boolean failed(Errors error, long nowMs, int maxMs) {
        retryAtMs = nowMs + Math.min(maxMs, (long) FIRST_BACKOFF_MS << Math.min(failures, 16));
        failures++;
        boolean news = error != lastError;
        lastError = error;
        return news;
    }

    /** From when on it may ask again (monotonic). */
    long retryAtMs() {
        return retryAtMs;
    }

    /** Its fetcher has let it go: late answers mean nothing. */
    void leave() {
        gone = true;
    }

    boolean isGone() {
        return gone;
    }

    @Override
    public String toString() {
        return partition.topicPartition() + " from " + partition.logEndOffset();
    }
}
