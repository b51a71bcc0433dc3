package io.highwater.storage.segment;

import java.util.concurrent.atomic.AtomicInteger;

/** Who still needs a segment's files: its owner, and everybody who reads. Any thread. */
final class Leases {
    /** What {@link #giveBack} found out. */
    enum Left {
        /** Others still hold some. */
        OTHERS,
        /** All readers have gone, the owner is there. */
        ONLY_OWNER,
        /** Nobody: the files can be closed, and no lease will be given out again. */
        NOBODY
    }

    private final AtomicInteger count = new AtomicInteger(1);

    /** Whether one of them is the owner's; cleared before that one is given back. */
    private volatile boolean owned = true;

    /** One more; false if there are none left, and so never will be. */
    boolean tryTake() {
        for (int held = count.get(); held > 0; held = count.get()) {
            if (count.compareAndSet(held, held + 1)) {
                return true;
            }
        }
        return false;
    }

    /** A reader's comes back. */
    Left giveBack() {
        int left = count.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException("a lease too many was given back");
        }
        if (left == 0) {
            return Left.NOBODY;
        }
        return left == 1 && owned ? Left.ONLY_OWNER : Left.OTHERS;
    }

    /** The owner's comes back. */
    Left giveBackAsOwner() {
        owned = false;
        return giveBack();
    }

    /** For the owner: whether nobody reads at this moment. Who comes later sees what was published before. */
    boolean nobodyReads() {
        return count.get() == 1;
    }
}
