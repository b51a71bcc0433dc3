package io.highwater.broker.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highwater.broker.net.NetworkFixture.Call;
import io.highwater.wire.frame.LeasedRecords;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IdleConnectionTest {
    private static final long MAX_IDLE_MS = 200;

    private final NetworkFixture network =
            new NetworkFixture(new SocketSettings(2 << 20, -1, -1, 50, MAX_IDLE_MS, MAX_IDLE_MS / 2));

    private final AtomicInteger released = new AtomicInteger();

    @AfterEach
    void nothingIsLeft() throws IOException {
        network.close();
    }

    @Test
    void whoAsksNothingForTooLongIsClosed() throws IOException {
        WireClient client = network.connect();
        client.call(1, new ApiVersionsRequestData(), 0);
        long sinceNanos = System.nanoTime();

        assertThat(client.isClosedByServer()).isTrue();

        assertThat(System.nanoTime() - sinceNanos).isGreaterThan(MAX_IDLE_MS * 1_000_000 - 50_000_000);
        assertThat(network.log.lines()).isEmpty();
        assertThat(network.metrics.scrape()).contains("expiredconnectionskilledcount 1\n");
    }

    @Test
    void whoWaitsForAnAnswerIsNotIdle() throws Exception {
        WireClient client = network.connect();
        client.send(1, Messages.metadataRequest(), Messages.METADATA);
        Call call = network.nextCall();

        for (int i = 0; i < 3; i++) {
            assertThat(client.isSilent()).isTrue();
        }

        call.promise().complete(Messages.metadata("late"));
        client.receive(1, ApiKeys.METADATA, Messages.METADATA);
    }

    @Test
    void whoDoesNotReadItsAnswersIsClosed() throws Exception {
        WireClient client = network.connect();
        client.send(1, new FetchRequestData(), Messages.FETCH);
        network.nextCall()
                .promise()
                .complete(Messages.fetch(
                        LeasedRecords.mapped(Messages.direct(new byte[50_000_000]), released::incrementAndGet)));

        await().until(() -> released.get() == 1);

        assertThat(network.log.lines()).singleElement().asString().contains("has not read its answers");
    }

    @Test
    void whoStopsInTheMiddleOfARequestIsClosedIfOthersWaitForMemory() throws Exception {
        byte[] frame = WireClient.frame(1, Messages.produce(new byte[1_100_000]), Messages.PRODUCE);
        WireClient stalled = network.connect();
        stalled.sendRaw(Arrays.copyOf(frame, 1_000));
        await().until(() -> network.memory.usedBytes() > NetworkFixture.LIMIT_BYTES);
        WireClient waiting = network.connect();

        waiting.sendRaw(frame);

        network.nextCall().promise().complete(null);
        assertThat(stalled.isClosedByServer()).isTrue();
        assertThat(network.log.lines()).singleElement().asString().contains("in the middle of a request");
    }
}
