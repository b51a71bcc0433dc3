package io.highwater.storage.log;

import io.highwater.storage.segment.Segment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which segments at the head of a log may go. Looks only; three reasons, asked one after the other. */
final class RetentionPolicy {
    private final SegmentList segments;
    private final long logEndOffset;
    private final long highWatermark;

    RetentionPolicy(SegmentList segments, long logEndOffset, long highWatermark) {
        this.segments = segments;
        this.logEndOffset = logEndOffset;
        this.highWatermark = highWatermark;
    }

    private interface Condition {
        boolean mayGo(Segment segment, @Nullable Segment next) throws IOException;
    }

    /** Those that end at or before the log start. */
    List<Segment> beforeStart(long logStartOffset) throws IOException {
        return head((segment, next) -> next != null && next.baseOffset() <= logStartOffset);
    }

    /** As many as keep the log at or above {@code retentionBytes} without them; never below. */
    List<Segment> aboveSize(long retentionBytes) throws IOException {
        if (retentionBytes < 0) {
            return List.of();
        }
        long[] surplus = {segments.sizeBytes() - retentionBytes};
        return head((segment, next) -> {
            surplus[0] -= segment.sizeBytes();
            return surplus[0] >= 0;
        });
    }

    /** Those whose last record is older than {@code retentionMs}. */
    List<Segment> olderThan(long retentionMs, long nowMs) throws IOException {
        if (retentionMs < 0) {
            return List.of();
        }
        return head((segment, next) -> nowMs - segment.lastUsedMs() > retentionMs);
    }

    /** From the oldest on, up to the first that stays; never one that is not committed, nor an empty active one. */
    private List<Segment> head(Condition condition) throws IOException {
        List<Segment> going = new ArrayList<>();
        List<Segment> all = segments.all();
        for (int i = 0; i < all.size(); i++) {
            Segment segment = all.get(i);
            Segment next = i + 1 < all.size() ? all.get(i + 1) : null;
            long end = next == null ? logEndOffset : next.baseOffset();
            boolean emptyActive = next == null && segment.isEmpty();
            if (highWatermark < end || emptyActive || !condition.mayGo(segment, next)) {
                break;
            }
            going.add(segment);
        }
        return going;
    }
}
