package io.highwater.testkit;

import java.util.HashSet;
import java.util.Set;

/** Which ways between nodes are open. A way is one direction: what {@code from} sends to {@code to}. Any thread. */
final class Links {
    private final Set<Way> cut = new HashSet<>();
    private final Set<Integer> paused = new HashSet<>();

    private record Way(int from, int to) {}

    synchronized void cut(int from, int to) {
        cut.add(new Way(from, to));
    }

    synchronized void heal(int from, int to) {
        cut.remove(new Way(from, to));
    }

    synchronized void heal() {
        cut.clear();
    }

    synchronized void pause(int node) {
        paused.add(node);
    }

    synchronized void resume(int node) {
        paused.remove(node);
    }

    synchronized boolean isOpen(int from, int to) {
        return !paused.contains(from) && !paused.contains(to) && !cut.contains(new Way(from, to));
    }
}
