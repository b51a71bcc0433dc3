package io.highwater.broker.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.peer.ListenerProbe.Outcome;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ListenerProbeTest {
    private final Vertx vertx = Vertx.vertx();
    private final ListenerProbe probe = new ListenerProbe(vertx);

    @AfterEach
    void close() throws Exception {
        probe.close();
        vertx.close().await(10, TimeUnit.SECONDS);
    }

    @Test
    void whoeverListensTakesTheConnection() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(outcome("127.0.0.1", listener.getLocalPort())).isEqualTo(Outcome.CONNECTED);
            assertThat(listener.accept().getInputStream().read())
                    .as("nothing is sent")
                    .isEqualTo(-1);
        }
    }

    @Test
    void aPortWithoutListenerRefuses() throws Exception {
        assertThat(outcome("127.0.0.1", freePort())).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void aNameThatNobodyKnowsIsUnclear() throws Exception {
        assertThat(outcome("no-such-host.invalid", 9092)).isEqualTo(Outcome.UNCLEAR);
    }

    @Test
    void whatIsNoRefusalIsUnclear() {
        assertThat(ListenerProbe.outcome(new ConnectException("Network is unreachable")))
                .isEqualTo(Outcome.UNCLEAR);
        assertThat(ListenerProbe.outcome(new ConnectException("connection timed out")))
                .isEqualTo(Outcome.UNCLEAR);
        assertThat(ListenerProbe.outcome(new IOException("refused"))).isEqualTo(Outcome.UNCLEAR);
    }

    private Outcome outcome(String host, int port) throws Exception {
        return probe.dial(host, port).await(10, TimeUnit.SECONDS);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
