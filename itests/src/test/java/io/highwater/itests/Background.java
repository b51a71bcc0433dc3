package io.highwater.itests;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** What goes on beside the test, on a thread of its own. */
final class Background<T> {
    private final FutureTask<T> task;

    Background(Callable<T> work) {
        task = new FutureTask<>(work);
        Thread thread = new Thread(task, "beside the test");
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits for its end. */
    T result() throws ExecutionException, InterruptedException {
        return task.get();
    }
}
