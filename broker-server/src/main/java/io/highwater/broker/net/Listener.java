package io.highwater.broker.net;

import io.highwater.broker.api.Client;
import io.highwater.broker.api.RequestRouter;
import io.highwater.wire.frame.FrameReceiveAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One entry of {@code listeners}: accepts connections and spreads them over all event loops, where each gets its decoder and its
 * {@link Connection}. Serves whatever its router answers, so a controller listener is one with another router.
 */
public final class Listener {
    /** Bytes of answers not yet taken by the client at which its connection is no longer read, and at which it is again. */
    private static final WriteBufferWaterMark UNSENT_BYTES = new WriteBufferWaterMark(64 << 10, 256 << 10);

    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final String ALL_ADDRESSES = "0.0.0.0";
    private static final AtomicInteger FREE_PORT_IDS = new AtomicInteger();
    private static final AtomicLong CONNECTION_NUMBERS = new AtomicLong();

    private final VertxInternal vertx;
    private final ListenerSettings settings;
    private final RequestRouter router;
    private final NetworkContext network;
    private final List<NetServer> servers = new CopyOnWriteArrayList<>();
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
    private volatile int port;

    /** What the connections were accepted by; null while there was none. */
    private volatile @Nullable Channel acceptor;

    /**
     * Opens nothing yet.
     *
     * @param vertx whose event loops serve the connections; closed by whoever made it
     * @param router answers the requests
     */
    public Listener(Vertx vertx, ListenerSettings settings, RequestRouter router, NetworkContext network) {
        this.vertx = (VertxInternal) vertx;
        this.settings = settings;
        this.router = router;
        this.network = network;
    }

    /**
     * Starts to accept. Once.
     *
     * @return the port; fails with an {@link IOException} whose message says which listener and why
     */
    public Future<Integer> start() {
        String host = settings.host().isEmpty() ? ALL_ADDRESSES : settings.host();
        // Vert.x lets several servers share a port that was asked for by number, or a free one that was asked for by
        // the same id.
        SocketAddress address = settings.port() == 0
                ? SocketAddress.sharedRandomPort(FREE_PORT_IDS.incrementAndGet(), host)
                : SocketAddress.inetSocketAddress(settings.port(), host);
        Future<NetServer> started = Future.succeededFuture();
        for (EventExecutor loop : vertx.nettyEventLoopGroup()) {
            started = started.compose(previous -> startOn((EventLoop) loop, address));
        }
        return started.map(last -> port = last.actualPort())
                .recover(cause -> close().transform(ignored -> Future.failedFuture(explain(cause))));
    }

    private Future<NetServer> startOn(EventLoop loop, SocketAddress address) {
        Context context = vertx.contextBuilder().withEventLoop(loop).build();
        Promise<NetServer> started = Promise.promise();
        context.runOnContext(nothing -> {
            NetServer server = vertx.createNetServer(options()).connectHandler(this::onConnected);
            server.listen(address).onSuccess(servers::add).onComplete(started);
        });
        return started.future();
    }

    private NetServerOptions options() {
        SocketSettings sockets = network.sockets();
        NetServerOptions options = new NetServerOptions()
                .setAcceptBacklog(sockets.backlog())
                .setTcpKeepAlive(true)
                .setTcpNoDelay(true);
        if (sockets.sendBufferBytes() > 0) {
            options.setSendBufferSize(sockets.sendBufferBytes());
        }
        if (sockets.receiveBufferBytes() > 0) {
            options.setReceiveBufferSize(sockets.receiveBufferBytes());
        }
        return options;
    }

    private IOException explain(Throwable cause) {
        String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        String why = message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
        return new IOException("listener " + settings + ": " + why, cause);
    }

    /** Stops accepting and ends all connections; answers that are not sent yet never will be. */
    public Future<Void> close() {
        Future<Void> closed = stopAccepting();
        for (NetServer server : servers) {
            closed = closed.eventually(server::close);
        }
        servers.clear();
        return closed;
    }

    /**
     * All servers share one accepting socket, and Vert.x closes it with the last of them: whoever connects just then would meet an acceptor
     * without event loops to give the connection to, and a stack trace in the log.
     */
    private Future<Void> stopAccepting() {
        Channel accepting = acceptor;
        if (accepting == null) {
            return Future.succeededFuture();
        }
        Promise<Void> stopped = Promise.promise();
        accepting.close().addListener(done -> stopped.complete());
        return stopped.future();
    }

    /** As {@link #close}, but resets the connections, as the system does for a process that dies. */
    public Future<Void> abort() {
        for (Channel channel : channels) {
            // Lingering for no time is how a socket is told to reset.
            channel.eventLoop().execute(() -> {
                if (channel.isOpen()) {
                    channel.config().setOption(ChannelOption.SO_LINGER, 0);
                    ChannelFuture unused = channel.close();
                }
            });
        }
        return close();
    }

    /** What it was built from. */
    public ListenerSettings settings() {
        return settings;
    }

    /** The port it accepts on; 0 before {@link #start} has succeeded. */
    public int port() {
        return port;
    }

    /** Called on the event loop of the new connection, before anything is read from it. */
    private void onConnected(NetSocket socket) {
        ChannelHandlerContext vertxHandler = ((NetSocketInternal) socket).channelHandlerContext();
        Channel channel = vertxHandler.channel();
        if (!(channel.remoteAddress() instanceof InetSocketAddress remote)) {
            ChannelFuture unused = channel.close();
            return;
        }
        acceptor = channel.parent();
        String refusal = network.connections().opened(remote.getAddress());
        if (refusal != null) {
            LOG.warn(
                    "refused connection {}:{} on {}: {}",
                    remote.getAddress().getHostAddress(),
                    remote.getPort(),
                    settings.name().value(),
                    refusal);
            network.metrics().refused();
            ChannelFuture unused = channel.close();
            return;
        }
        String name = settings.name().value();
        network.metrics().opened(name);
        InetAddress address = remote.getAddress();
        channels.add(channel);
        channel.closeFuture().addListener(closed -> {
            channels.remove(channel);
            network.connections().closed(address);
            network.metrics().closed(name);
        });
        install(channel, vertxHandler.name(), remote);
    }

    @SuppressWarnings("deprecation") // the receive allocator: Netty's only way to say where to read into
    private void install(Channel channel, String vertxHandler, InetSocketAddress remote) {
        Promise<Void> closed = Promise.promise();
        channel.closeFuture().addListener(done -> closed.complete());
        Connection connection =
                new Connection(client(channel.localAddress(), remote, closed.future()), router, network);
        channel.config()
                .setAllocator(PooledByteBufAllocator.DEFAULT)
                .setRecvByteBufAllocator(new FrameReceiveAllocator(connection.decoder()))
                .setWriteBufferWaterMark(UNSENT_BYTES);
        channel.pipeline()
                .addBefore(vertxHandler, "frames", connection.decoder())
                .addBefore(vertxHandler, "connection", connection);
    }

    private Client client(java.net.@Nullable SocketAddress local, InetSocketAddress remote, Future<Void> closed) {
        String id = local + "-" + remote + "-" + CONNECTION_NUMBERS.incrementAndGet();
        return new Client(
                id.replace("/", ""),
                settings.name(),
                settings.securityProtocol(),
                settings.privileged(),
                KafkaPrincipal.ANONYMOUS,
                remote,
                closed);
    }
}
