package io.highwater.storage.log;

import io.highwater.storage.segment.Segment;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The segments of one log, ascending by base offset, the last one active. Changed by the owner, as a whole; readers keep the
 * list they took. A segment that readers find closed has left the list: take it again.
 */
final class SegmentList {
    private static final Segment[] NONE = new Segment[0];

    private volatile Segment[] segments = NONE;

    boolean isEmpty() {
        return segments.length == 0;
    }

    int size() {
        return segments.length;
    }

    Segment first() {
        return segments[0];
    }

    Segment active() {
        Segment[] now = segments;
        return now[now.length - 1];
    }

    /** All of them, in order; a snapshot. */
    List<Segment> all() {
        return List.of(segments);
    }

    /** The last segment whose base offset is at most {@code offset}, or the first one; and all behind it. */
    List<Segment> from(long offset) {
        Segment[] now = segments;
        return List.of(now).subList(Math.max(0, floor(now, offset)), now.length);
    }

    /** The last segment whose base offset is at most {@code offset}, or the first one; null if there is none. */
    @Nullable
    Segment floorOrFirst(long offset) {
        Segment[] now = segments;
        return now.length == 0 ? null : now[Math.max(0, floor(now, offset))];
    }

    /** The segment behind the one at {@code baseOffset}; null if that is the last. */
    @Nullable
    Segment higher(long baseOffset) {
        Segment[] now = segments;
        int next = floor(now, baseOffset) + 1;
        return next < now.length ? now[next] : null;
    }

    void add(Segment segment) {
        Segment[] now = segments;
        if (now.length > 0 && now[now.length - 1].baseOffset() >= segment.baseOffset()) {
            throw new IllegalStateException(segment + " is not behind " + now[now.length - 1]);
        }
        Segment[] longer = Arrays.copyOf(now, now.length + 1);
        longer[now.length] = segment;
        segments = longer;
    }

    /** The list is only this segment now. */
    void replaceAll(Segment only) {
        segments = new Segment[] {only};
    }

    void removeAll(Collection<Segment> gone) {
        segments = Stream.of(segments).filter(s -> !gone.contains(s)).toArray(Segment[]::new);
    }

    long sizeBytes() {
        long sum = 0;
        for (Segment segment : segments) {
            sum += segment.sizeBytes();
        }
        return sum;
    }

    private static int floor(Segment[] sorted, long offset) {
        int last = sorted.length - 1;
        if (last >= 0 && sorted[last].baseOffset() <= offset) {
            return last; // where almost everybody reads
        }
        int low = 0;
        int high = last;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle].baseOffset() <= offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return low - 1;
    }
}
