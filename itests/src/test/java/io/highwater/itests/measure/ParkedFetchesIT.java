package io.highwater.itests.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetches that wait cost memory and no time. A connection may have 64 requests on their way. */
@Tag("measure")
class ParkedFetchesIT {
    private static final String TOPIC = "orders";
    private static final String WAITING =
            "kafka_server_delayedoperationpurgatory_purgatorysize{delayedOperation=\"Fetch\"}";
    private static final int PER_CONNECTION = 64;
    private static final int FETCHES = 100_000;
    private static final int SECONDS = 30;

    @Test
    void aHundredThousandCostNextToNothing(@TempDir Path directory) throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (Bench bench = new Bench(directory, "")) {
            bench.createTopic(TOPIC, 1, Map.of(), 1);
            rest();
            double idle = cpuShare(bench);
            double memoryBefore = bench.liveMiB(1);
            String address = bench.servers().split(",", -1)[0];
            int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
            while (sockets.size() < FETCHES / PER_CONNECTION) {
                sockets.add(waiting(port));
            }
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> bench.scrape(1).value(WAITING) >= sockets.size() * PER_CONNECTION);
            double memory = bench.liveMiB(1) - memoryBefore;
            rest();

            double share = cpuShare(bench);

            double waiting = bench.scrape(1).value(WAITING);
            System.out.printf(
                    "%.0f fetches wait on %d connections: %.2f %% of a core for %d s, %.2f %% without them; %.0f bytes of memory each%n",
                    waiting, sockets.size(), 100 * share, SECONDS, 100 * idle, memory * (1 << 20) / waiting);
            assertThat(waiting).isGreaterThanOrEqualTo(sockets.size() * PER_CONNECTION);
            assertThat(share - idle).as("share of a core").isLessThan(0.03);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static Socket waiting(int port) throws IOException {
        FetchRequest fetch = FetchRequest.Builder.forConsumer(
                        (short) 12,
                        (int) TimeUnit.MINUTES.toMillis(20),
                        1,
                        Map.of(
                                new TopicPartition(TOPIC, 0),
                                new FetchRequest.PartitionData(Uuid.ZERO_UUID, 0, -1, 1 << 20, Optional.empty())))
                .build((short) 12);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        for (int i = 0; i < PER_CONNECTION; i++) {
            ByteBuffer frame =
                    fetch.serializeWithHeader(new RequestHeader(fetch.apiKey(), fetch.version(), "waits", i));
            ByteBuffer whole = ByteBuffer.allocate(4 + frame.remaining())
                    .putInt(frame.remaining())
                    .put(frame);
            socket.getOutputStream().write(whole.array());
        }
        return socket;
    }

    /** CPU time of the broker over time. */
    private static double cpuShare(Bench bench) {
        double before = bench.cpuSeconds(1);
        long fromNs = System.nanoTime();
        pass(SECONDS);
        return (bench.cpuSeconds(1) - before) / ((System.nanoTime() - fromNs) / 1e9);
    }

    /** Compilers finish what they have begun. */
    private static void rest() {
        pass(10);
    }

    /** Time has to pass here: it is what is measured. */
    private static void pass(int seconds) {
        long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < untilNs) {
            LockSupport.parkNanos(untilNs - System.nanoTime());
        }
    }
}
