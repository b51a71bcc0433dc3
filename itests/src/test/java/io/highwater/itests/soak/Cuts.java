package io.highwater.itests.soak;

import java.util.HashSet;
import java.util.Set;

/** Which directions are cut at the moment. Any thread. */
final class Cuts {
    private final Set<Link> cut = new HashSet<>();

    synchronized void cut(Link link) {
        cut.add(link);
    }

    synchronized void mendAll() {
        cut.clear();
        notifyAll();
    }

    /** Returns when nothing stands in the way. */
    synchronized void await(Link link) {
        try {
            while (cut.contains(link)) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
