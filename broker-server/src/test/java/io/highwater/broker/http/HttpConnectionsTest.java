package io.highwater.broker.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.http.HttpConnections.Limits;
import io.highwater.broker.metrics.Dialects;
import io.highwater.broker.metrics.Metrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpConnectionsTest {
    /** Never, as far as a test is concerned. */
    private static final long NEVER_MS = 100_000;

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<HttpServerResponse> unanswered = new LinkedBlockingQueue<>();
    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket each : sockets) {
            each.close();
        }
        wait(vertx.close());
    }

    @Test
    void whoSendsNoWholeRequestIsClosed() throws Exception {
        int port = start(new Limits(10, 50, NEVER_MS, 10));
        Socket silent = connect(port);
        Socket slow = connect(port);
        send(slow, "GET /healthz HTTP/1.1\r\nHost: ");

        assertThat(line(silent)).isNull();
        assertThat(line(slow)).isNull();
    }

    @Test
    void whoDoesNotComeAgainIsClosed() throws Exception {
        Socket socket = connect(start(new Limits(10, NEVER_MS, 50, 10)));

        send(socket, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");

        BufferedReader reader = reader(socket);
        assertThat(reader.readLine()).isEqualTo("HTTP/1.1 200 OK");
        assertThat(reader.lines()).contains("ok"); // to its end
    }

    @Test
    void whoWaitsForAnAnswerIsNotClosed() throws Exception {
        int port = start(new Limits(10, 50, 50, 10));
        Socket waiting = connect(port);
        send(waiting, "GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
        HttpServerResponse response = unanswered.poll(10, TimeUnit.SECONDS);

        assertThat(line(connect(port))).isNull(); // who has come after it has been closed

        wait(response.end("late"));
        assertThat(line(waiting)).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void aNewcomerTakesThePlaceOfWhoHasBeenIdleForLongest() throws Exception {
        int port = start(new Limits(2, NEVER_MS, NEVER_MS, NEVER_MS));
        Socket first = connect(port);
        send(first, "GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
        HttpServerResponse response = unanswered.poll(10, TimeUnit.SECONDS);
        Socket idle = connect(port);

        Socket newcomer = connect(port);
        send(newcomer, "GET /later HTTP/1.1\r\nHost: x\r\n\r\n");

        assertThat(line(idle)).isNull();
        HttpServerResponse newResponse = unanswered.poll(10, TimeUnit.SECONDS);
        assertThat(line(connect(port))).isNull(); // both places are in use
        wait(response.end());
        wait(newResponse.end());
        assertThat(line(first)).isEqualTo("HTTP/1.1 200 OK");
        assertThat(line(newcomer)).isEqualTo("HTTP/1.1 200 OK");
    }

    private int start(Limits limits) {
        HttpRoutes later = request -> request.path().equals("/later") && unanswered.add(request.response());
        return wait(new HttpEndpoint(
                        vertx, new Metrics(Dialects.usual()), () -> null, HttpSecurity.NONE, List.of(later), limits)
                .start("127.0.0.1", 0));
    }

    private Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(10_000);
        sockets.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    }

    /** The next line; null at the end. */
    private static @Nullable String line(Socket socket) throws IOException {
        try {
            return reader(socket).readLine();
        } catch (SocketException e) {
            return null; // closed with something of ours unread
        }
    }

    private static <T> T wait(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }
}
