package io.highwater.storage.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AbortedTxnIndexTest {
    @TempDir
    Path directory;

    @Test
    void aReaderThatIsOvertakenByATruncationFindsLessButDoesNotFail() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        try (AbortedTxnIndex index = new AbortedTxnIndex(directory.resolve("0.txnindex"), 0, false)) {
            CompletableFuture<Integer> reads = CompletableFuture.supplyAsync(() -> {
                int count = 0;
                while (!ended.get()) {
                    try {
                        index.collect(0, Long.MAX_VALUE, new ArrayList<>());
                        count++;
                    } catch (Exception e) {
                        throw new AssertionError("after " + count + " reads", e);
                    }
                }
                return count;
            });

            for (int round = 0; round < 300 && !reads.isDone(); round++) {
                for (int i = 0; i < 20; i++) {
                    index.append(new AbortedTxn(1, 10L * i, 10L * i + 5, 10L * i + 6));
                }
                index.truncateTo(0);
            }
            ended.set(true);

            assertThat(reads.get()).isPositive();
        }
    }
}
