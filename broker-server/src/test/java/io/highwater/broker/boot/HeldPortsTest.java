package io.highwater.broker.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.broker.config.ListenerEndpoint;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.Test;

class HeldPortsTest {
    @Test
    void knowsThePortThatTheSystemPickedBeforeItIsOpened() throws IOException {
        try (HeldPorts ports = HeldPorts.of(List.of(listener("A", 0), listener("B", 0)))) {
            int port = ports.port("A");

            assertThat(ports.release("A")).isEqualTo(port).isNotEqualTo(ports.port("B"));

            try (ServerSocket opened = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertThat(opened.getLocalPort()).isEqualTo(port);
            }
        }
    }

    @Test
    void refusesAPortThatAnotherProcessListensOnAndHoldsNoneThen() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int free = freePort();

            assertThatThrownBy(() ->
                            HeldPorts.of(List.of(listener("FREE", free), listener("TAKEN", taken.getLocalPort()))))
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("TAKEN://127.0.0.1:" + taken.getLocalPort());

            new ServerSocket(free, 1, InetAddress.getLoopbackAddress()).close();
        }
    }

    @Test
    void nobodyCanConnectToAHeldPort() throws IOException {
        try (HeldPorts ports = HeldPorts.of(List.of(listener("A", 0)));
                Socket client = new Socket()) {
            InetSocketAddress held = new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.port("A"));

            assertThatThrownBy(() -> client.connect(held, 5000)).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void refusesAnAddressOfAnotherMachine() {
        assertThatThrownBy(() ->
                        HeldPorts.of(List.of(new ListenerEndpoint("A", SecurityProtocol.PLAINTEXT, "192.0.2.1", 0))))
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("A://192.0.2.1:0");
    }

    private static ListenerEndpoint listener(String name, int port) {
        return new ListenerEndpoint(name, SecurityProtocol.PLAINTEXT, "127.0.0.1", port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
