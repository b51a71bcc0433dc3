package io.highwater.broker.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.ServerBootstrap;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiKeys;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ListenerTest {
    private final NetworkFixture network = new NetworkFixture();
    private final LogLines log = new LogLines(Listener.class.getName());

    @AfterEach
    void nothingIsLeft() throws IOException {
        network.close();
        log.close();
    }

    @Test
    void aFreePortIsTold() {
        assertThat(network.port).isPositive();
        assertThat(network.listener.port()).isEqualTo(network.port);
    }

    @Test
    void whatHasAHandlerIsAdvertisedAndNothingElse() throws IOException {
        ApiVersionsResponseData answer =
                (ApiVersionsResponseData) network.connect().call(1, new ApiVersionsRequestData(), 0);

        assertThat(answer.apiKeys())
                .extracting(ApiVersion::apiKey)
                .containsExactly(
                        ApiKeys.PRODUCE.id,
                        ApiKeys.FETCH.id,
                        ApiKeys.METADATA.id,
                        ApiKeys.HEARTBEAT.id,
                        ApiKeys.API_VERSIONS.id);
    }

    @Test
    void connectionsAreSpreadOverAllEventLoops() throws Exception {
        Set<Thread> threads = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            network.connect().send(i, Messages.metadataRequest(), Messages.METADATA);
            threads.add(network.nextCall().thread());
        }

        assertThat(threads).hasSize(2);
    }

    @Test
    void aPortThatIsTakenByAnotherProcessIsNamedInOneSentence() throws IOException {
        try (java.net.ServerSocket taken = new java.net.ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Listener second = network.listener(NetworkFixture.SOCKETS, taken.getLocalPort());

            Future<Integer> started = second.start();

            await().until(started::isComplete);
            assertThat(started.cause())
                    .isInstanceOf(IOException.class)
                    .hasMessage("listener PLAINTEXT 127.0.0.1:" + taken.getLocalPort() + ": address already in use");
        }
    }

    @Test
    void aClosedListenerAcceptsNobodyAndItsPortIsFreeAgain() throws IOException {
        NetworkFixture.wait(network.listener.close());

        // Vert.x reports a server that shares its socket with others as closed before the kernel has closed the socket.
        await().untilAsserted(
                        () -> Assertions.assertThatThrownBy(network::connect).isInstanceOf(ConnectException.class));
        Listener again = network.listener(NetworkFixture.SOCKETS, network.port);
        assertThat(NetworkFixture.wait(again.start())).isEqualTo(network.port);
        NetworkFixture.wait(again.close());
    }

    @Test
    void whoeverConnectsWhileItClosesIsNoNews() throws Exception {
        try (LogLines netty = new LogLines(ServerBootstrap.class.getName())) {
            for (int i = 0; i < 10; i++) {
                Listener closing = network.listener(NetworkFixture.SOCKETS, 0);
                int port = NetworkFixture.wait(closing.start());
                try (WireClient first = new WireClient(port)) {
                    first.call(1, new ApiVersionsRequestData(), 0);
                }
                CountDownLatch connected = new CountDownLatch(1);
                FutureTask<Void> others = new FutureTask<>(() -> connectUntilRefused(port, connected), null);
                new Thread(others).start();
                assertThat(connected.await(10, TimeUnit.SECONDS)).isTrue();

                NetworkFixture.wait(closing.close());

                others.get(10, TimeUnit.SECONDS);
            }
            assertThat(netty.lines()).isEmpty();
        }
    }

    private static void connectUntilRefused(int port, CountDownLatch connected) {
        try {
            while (true) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    assert socket.isConnected();
                    connected.countDown();
                }
            }
        } catch (IOException refused) {
            connected.countDown();
        }
    }

    @Test
    void oneConnectionTooManyFromAnAddressIsClosedAndTheOthersStay() throws IOException {
        network.connections.update(new ConnectionLimits.Limits(100, 2, Map.of()));
        WireClient first = network.connect();
        WireClient second = network.connect();
        first.call(1, new ApiVersionsRequestData(), 0);
        second.call(1, new ApiVersionsRequestData(), 0);

        assertThat(network.connect().isClosedByServer()).isTrue();

        assertThat(log.lines()).singleElement().asString().contains("max.connections.per.ip=2", "127.0.0.1");
        first.call(2, new ApiVersionsRequestData(), 0);
        second.call(2, new ApiVersionsRequestData(), 0);
        assertThat(network.connections.open()).isEqualTo(2);
    }

    @Test
    void aPlaceIsFreeAgainWhenItsConnectionHasGone() throws IOException {
        network.connections.update(new ConnectionLimits.Limits(1, 10, Map.of()));
        WireClient first = network.connect();
        first.call(1, new ApiVersionsRequestData(), 0);
        assertThat(network.connect().isClosedByServer()).isTrue();

        first.close();
        await().until(() -> network.connections.open() == 0);

        network.connect().call(1, new ApiVersionsRequestData(), 0);
    }

    @Test
    void anAddressMayHaveALimitOfItsOwn() throws IOException {
        network.connections.update(new ConnectionLimits.Limits(100, 0, Map.of(InetAddress.getLoopbackAddress(), 1)));

        network.connect().call(1, new ApiVersionsRequestData(), 0);

        assertThat(network.connect().isClosedByServer()).isTrue();
    }
}
