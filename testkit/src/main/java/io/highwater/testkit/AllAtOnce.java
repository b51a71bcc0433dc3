package io.highwater.testkit;

import io.highwater.broker.boot.StopRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Starts and ends brokers together: alone they would wait for each other. */
final class AllAtOnce {
    private AllAtOnce() {}

    /** Starts them, and returns when all serve; one that refuses ends the attempt of the others and is thrown. */
    static void start(List<TestBroker> brokers) {
        List<StopRequest> attempts =
                brokers.stream().map(broker -> new StopRequest()).toList();
        run("start", brokers, broker -> {
            try {
                broker.start(attempts.get(brokers.indexOf(broker)));
            } catch (RuntimeException | Error e) {
                attempts.forEach(StopRequest::bySignal);
                throw e;
            }
        });
    }

    /** Ends them, and returns when nothing of them is left but their data; abruptly, if nobody will want it. */
    static void end(List<TestBroker> brokers, boolean abruptly) {
        run("end", brokers, abruptly ? TestBroker::kill : TestBroker::stop);
    }

    private static void run(String what, List<TestBroker> brokers, Consumer<TestBroker> action) {
        Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (TestBroker broker : brokers) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            action.accept(broker);
                        } catch (RuntimeException e) {
                            failures.add(e);
                        } catch (Error e) {
                            failures.add(new IllegalStateException("broker " + broker.id() + " did not " + what, e));
                        }
                    },
                    "highwater-testkit-" + what + "-" + broker.id());
            thread.start();
            threads.add(thread);
        }
        threads.forEach(AllAtOnce::join);
        RuntimeException first = failures.poll();
        if (first != null) {
            failures.forEach(first::addSuppressed);
            throw first;
        }
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
