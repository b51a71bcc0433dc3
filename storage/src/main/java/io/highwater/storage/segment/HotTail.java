package io.highwater.storage.segment;

/**
 * Which end of a growing segment was written a short while ago, and so is in memory without asking: two marks, half a tail
 * apart, follow the end. What an earlier process wrote never counts. Moved by the owner, read by anybody.
 */
final class HotTail {
    /** How much may count as hot. */
    static final int BYTES = 16 << 20;

    private volatile long fromOffset = Long.MAX_VALUE;
    private volatile int fromPosition = Integer.MAX_VALUE;

    // The younger mark; the owner's.
    private long nextOffset;
    private int nextPosition = -1;

    /** An append was made, beginning here. */
    void appended(long offset, int position) {
        if (nextPosition < 0) {
            moveTo(offset, position);
        } else if (position - nextPosition >= BYTES / 2) {
            moveTo(nextOffset, nextPosition);
        } else {
            return;
        }
        nextOffset = offset;
        nextPosition = position;
    }

    /** The end has moved back: nothing counts until the next append. */
    void truncated() {
        moveTo(Long.MAX_VALUE, Integer.MAX_VALUE);
        nextPosition = -1;
    }

    boolean coversOffset(long offset) {
        return offset >= fromOffset;
    }

    boolean coversPosition(int position) {
        return position >= fromPosition;
    }

    private void moveTo(long offset, int position) {
        fromOffset = offset;
        fromPosition = position;
    }
}
