package io.highwater.broker.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.net.NetworkFixture.Call;
import java.io.IOException;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IdleConnectionTest {
    private static final long MAX_IDLE_MS = 200;

    private final NetworkFixture network = new NetworkFixture(new SocketSettings(1 << 20, -1, -1, 50, MAX_IDLE_MS));

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
}
