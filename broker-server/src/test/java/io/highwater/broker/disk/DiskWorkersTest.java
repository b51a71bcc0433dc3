package io.highwater.broker.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DiskWorkersTest {
    private final DiskWorkers disk = new DiskWorkers(1);

    @AfterEach
    void close() {
        disk.close();
    }

    @Test
    void answersWithWhatTheWorkSays() {
        assertThat(disk.submit(() -> Thread.currentThread().getName()).await()).startsWith("highwater-disk-");
    }

    @Test
    void failuresAreValues() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        Future<Void> failed = disk.run(() -> {
            throw new IOException("broken");
        });
        failed.onFailure(cause -> seen.countDown());

        assertThat(seen.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(failed.cause()).hasMessage("broken");
    }

    @Test
    void aRoundThatFailsGoesOn() throws Exception {
        CountDownLatch rounds = new CountDownLatch(3);
        Runnable end = disk.every(1, 1, "a round that fails", () -> {
            rounds.countDown();
            throw new IllegalStateException("on purpose");
        });

        assertThat(rounds.await(10, TimeUnit.SECONDS)).isTrue();
        end.run();
    }

    @Test
    void whatWasSubmittedIsFinishedAtTheEndAndWhatWasScheduledIsNot() {
        AtomicBoolean submitted = new AtomicBoolean();
        AtomicBoolean scheduled = new AtomicBoolean();
        disk.after(3_600_000, "later", () -> scheduled.set(true));
        disk.run(() -> submitted.set(true));

        disk.close();

        assertThat(submitted).isTrue();
        assertThat(scheduled).isFalse();
        assertThat(disk.run(() -> {}).failed()).as("closed").isTrue();
    }
}
