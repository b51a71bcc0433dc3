package io.highwater.broker.net;

/**
 * What all connections have in common; names are those of the broker settings.
 *
 * @param maxRequestBytes {@code socket.request.max.bytes}: largest frame, without its length, inclusive
 * @param sendBufferBytes {@code socket.send.buffer.bytes}; -1 for what the system gives
 * @param receiveBufferBytes {@code socket.receive.buffer.bytes}; -1 for what the system gives
 * @param backlog {@code socket.listen.backlog.size}: connections that wait to be accepted
 * @param maxIdleMs {@code connections.max.idle.ms}: a connection that has asked nothing for so long, and waits for nothing, is
 *     closed; negative for never
 * @param maxStallMs a client that sends nothing for so long in the middle of a request is closed if others wait for memory
 */
public record SocketSettings(
        int maxRequestBytes,
        int sendBufferBytes,
        int receiveBufferBytes,
        int backlog,
        long maxIdleMs,
        long maxStallMs) {
    private static final long MAX_STALL_MS = 30_000;

    /** Settings with the usual patience for stalled requests, half a minute. */
    public SocketSettings(
            int maxRequestBytes, int sendBufferBytes, int receiveBufferBytes, int backlog, long maxIdleMs) {
        this(maxRequestBytes, sendBufferBytes, receiveBufferBytes, backlog, maxIdleMs, MAX_STALL_MS);
    }
}
