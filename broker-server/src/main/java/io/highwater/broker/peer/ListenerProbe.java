package io.highwater.broker.peer;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.net.ConnectException;
import java.util.Locale;

/** Tries whether anybody listens at an address: connects and closes, no byte is sent. Any thread. */
public final class ListenerProbe implements AutoCloseable {
    /** Longest wait for a connection: on a network that loses packets it is no answer, and no refusal either. */
    public static final int TIMEOUT_MS = 1_000;

    private final NetClient client;

    /** What was found. */
    public enum Outcome {
        /** Somebody listens. */
        CONNECTED,

        /** The host is there, and says that nobody listens. */
        REFUSED,

        /** No answer, no way, no such name, or a failure in words that are not known here. */
        UNCLEAR
    }

    /** Nothing is tried yet. */
    public ListenerProbe(Vertx vertx) {
        client = vertx.createNetClient(new NetClientOptions().setConnectTimeout(TIMEOUT_MS));
    }

    /** Tries once. Never fails; answers after {@link #TIMEOUT_MS} and the look-up of the name at the latest. */
    public Future<Outcome> dial(String host, int port) {
        return client.connect(port, host)
                .map(socket -> {
                    var unused = socket.close();
                    return Outcome.CONNECTED;
                })
                .otherwise(ListenerProbe::outcome);
    }

    /** Java has one exception for a port that refuses and a network that is unreachable; only the system's words tell them apart. */
    static Outcome outcome(Throwable failure) {
        String words = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return failure instanceof ConnectException && words.contains("refused") ? Outcome.REFUSED : Outcome.UNCLEAR;
    }

    @Override
    public void close() {
        var unused = client.close();
    }
}
