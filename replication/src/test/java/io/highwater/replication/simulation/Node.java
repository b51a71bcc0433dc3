package io.highwater.replication.simulation;

import java.util.ArrayDeque;
import java.util.Deque;

/** A process on a machine: may be down, may stand still, and forgets all that was planned when it dies. */
abstract class Node {
    final int id;
    final Cluster cluster;

    /** What has happened to it while it stood still, in order. */
    private final Deque<Runnable> stalled = new ArrayDeque<>();

    private int life;
    private boolean up;
    private boolean paused;

    Node(int id, Cluster cluster) {
        this.id = id;
        this.cluster = cluster;
    }

    /** How it is called in transcripts. */
    abstract String title();

    /** The connection on which {@code peer} sent its requests is gone. */
    void onDisconnected(Node peer) {}

    final void boot() {
        life++;
        up = true;
    }

    final void halt() {
        up = false;
        paused = false;
        stalled.clear();
    }

    final void pause() {
        paused = true;
    }

    final void resume() {
        paused = false;
        catchUp();
    }

    private void catchUp() {
        if (!paused && !stalled.isEmpty()) {
            stalled.poll().run();
            cluster.timeline.after(0, this::catchUp);
        }
    }

    final boolean isUp() {
        return up;
    }

    final boolean isPaused() {
        return paused;
    }

    final int life() {
        return life;
    }

    /** Something happens to this process, if it is still in that life; later, if it stands still. */
    final void meets(int inLife, Runnable event) {
        if (!up || life != inLife) {
            return;
        }
        if (paused || !stalled.isEmpty()) {
            stalled.add(event);
        } else {
            event.run();
        }
    }

    /** A timer of this life. */
    final void later(long delayMs, Runnable action) {
        int inLife = life;
        cluster.timeline.after(delayMs, () -> meets(inLife, action));
    }
}
