package io.highwater.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.requests.AbstractResponse;
import org.junit.jupiter.api.Test;

class NodeClientTest {
    private static final NodeSettings SETTINGS = NodeSettings.node(1, Role.BROKER)
            .logDirectories(Path.of("unused"))
            .brokerEndpoint(TestNode.endpoint("PLAINTEXT", 9092))
            .build();

    private final AtomicReference<String> fault = new AtomicReference<>();
    private final NodeClients clients = new NodeClients(
            SETTINGS,
            new StaticConfig(Map.of()),
            new Metrics(),
            Detour.NONE,
            new Faults((sentence, cause) -> fault.set(sentence)));

    @Test
    void anUnreachableNodeFailsTheRequestAtOnce() throws IOException {
        int freePort;
        try (ServerSocket socket = new ServerSocket(0)) {
            freePort = socket.getLocalPort();
        }
        try (NodeClient client = clients.client("test", 1, 30_000)) {
            assertThatThrownBy(() -> TestNode.await(send(client, freePort))).isInstanceOf(DisconnectException.class);
        }
    }

    @Test
    void whatASilentNodeOwesFailsWhenTheClientIsClosed() throws IOException {
        try (ServerSocket silent = new ServerSocket(0)) {
            NodeClient client = clients.client("test", 1, 30_000);
            CompletionStage<AbstractResponse> answer = send(client, silent.getLocalPort());

            client.close();

            assertThatThrownBy(() -> TestNode.await(answer)).isInstanceOf(DisconnectException.class);
            assertThatThrownBy(() -> TestNode.await(send(client, silent.getLocalPort())))
                    .isInstanceOf(DisconnectException.class);
        }
    }

    @Test
    void aSilentNodeFailsTheRequestAfterItsTime() throws IOException {
        try (ServerSocket silent = new ServerSocket(0);
                NodeClient client = clients.client("test", 1, 300)) {
            assertThatThrownBy(() -> TestNode.await(send(client, silent.getLocalPort())))
                    .isInstanceOf(DisconnectException.class);
        }
    }

    @Test
    void moreRequestsThanTheBoundFailAtOnce() throws IOException {
        try (ServerSocket silent = new ServerSocket(0);
                NodeClient client = clients.client("test", 1, 30_000)) {
            for (int i = 0; i < NodeClient.MAX_OUTSTANDING; i++) {
                assertThat(send(client, silent.getLocalPort()).toCompletableFuture())
                        .isNotDone();
            }

            CompletableFuture<AbstractResponse> tooMany =
                    send(client, silent.getLocalPort()).toCompletableFuture();

            assertThat(tooMany).isCompletedExceptionally();
        }
    }

    @Test
    void aThreadThatFailsEndsTheControlPlaneAndOwesNobodyAnAnswer() {
        Node broken = new Node(2, "localhost", 1) {
            @Override
            public String host() {
                throw new IllegalStateException("an error in this node");
            }
        };
        try (NodeClient client = clients.client("test", 1, 30_000)) {
            CompletionStage<AbstractResponse> answer =
                    client.send(broken, MessageRequest.of(new ApiVersionsRequestData()));

            assertThatThrownBy(() -> TestNode.await(answer)).isInstanceOf(DisconnectException.class);

            assertThat(fault.get()).contains("highwater-1-test failed").contains("an error in this node");
            assertThatThrownBy(() -> TestNode.await(send(client, 1))).isInstanceOf(DisconnectException.class);
        }
    }

    private static CompletionStage<AbstractResponse> send(NodeClient client, int port) {
        return client.send(new Node(2, "localhost", port), MessageRequest.of(new ApiVersionsRequestData()));
    }
}
