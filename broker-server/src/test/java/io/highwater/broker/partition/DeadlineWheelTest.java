package io.highwater.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadlineWheelTest {
    private final DeadlineWheel wheel = new DeadlineWheel();

    @AfterEach
    void close() {
        wheel.close();
    }

    @Test
    void passesNeitherTooEarlyNorNever() throws Exception {
        Random random = new Random(7);
        CountDownLatch all = new CountDownLatch(200);
        AtomicInteger early = new AtomicInteger();
        for (int i = 0; i < 200; i++) {
            int delayMs = random.nextInt(60);
            long dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMs);
            wheel.set(
                    deadline(() -> {
                        if (System.nanoTime() < dueNanos) {
                            early.incrementAndGet();
                        }
                        all.countDown();
                    }),
                    delayMs);
        }

        assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(early).hasValue(0);
    }

    @Test
    void aLaterOneDoesNotHideAnEarlierOne() throws Exception {
        CountDownLatch soon = new CountDownLatch(1);
        wheel.set(deadline(() -> {}), 1_000_000);
        wheel.set(deadline(soon::countDown), 5);

        assertThat(soon.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whatIsCancelledDoesNotPass() throws Exception {
        AtomicInteger passed = new AtomicInteger();
        CountDownLatch last = new CountDownLatch(1);
        List<Deadlines.Deadline> cancelled = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Deadlines.Deadline one = deadline(passed::incrementAndGet);
            cancelled.add(one);
            wheel.set(one, 30);
        }
        wheel.set(deadline(last::countDown), 40);

        cancelled.forEach(wheel::cancel);

        assertThat(last.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(passed).hasValue(0);
        cancelled.forEach(one -> wheel.set(one, 1_000_000));
    }

    @Test
    void oneThatThrowsDoesNotStopTheOthers() throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        wheel.set(
                deadline(() -> {
                    throw new IllegalStateException("on purpose");
                }),
                1);
        wheel.set(deadline(second::countDown), 20);

        assertThat(second.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private static Deadlines.Deadline deadline(Runnable onPassed) {
        return new Deadlines.Deadline() {
            @Override
            protected void onPassed() {
                onPassed.run();
            }
        };
    }
}
