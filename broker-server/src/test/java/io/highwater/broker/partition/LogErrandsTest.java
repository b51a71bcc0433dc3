package io.highwater.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.disk.DiskWorkers;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogErrandsTest {
    private final DiskWorkers disk = new DiskWorkers(2);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final LogErrands errands = new LogErrands(disk, failures::add);

    @AfterEach
    void close() {
        disk.close();
    }

    @Test
    void theEndWaitsForTheErrandUnderWay() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        List<String> order = new CopyOnWriteArrayList<>();
        errands.soon("first", () -> {
            begun.countDown();
            await(goOn);
            order.add("errand");
        });
        await(begun);
        Thread ending = new Thread(() -> {
            errands.end();
            order.add("end");
        });
        ending.start();

        goOn.countDown();
        ending.join();

        assertThat(order).containsExactly("errand", "end");
    }

    @Test
    void afterTheEndNothingIsTouched() {
        errands.end();

        errands.soon("late", () -> {
            throw new IOException("the directory was renamed");
        });
        disk.close();

        assertThat(failures).isEmpty();
    }

    @Test
    void aFailureIsReported() {
        errands.soon("fails", () -> {
            throw new IOException("broken");
        });
        disk.close();

        assertThat(failures).hasSize(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
