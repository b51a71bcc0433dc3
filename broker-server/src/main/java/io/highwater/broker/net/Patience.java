package io.highwater.broker.net;

import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How long one client may do nothing. Belongs to its connection's event loop; {@link #noteActivity} is hot. */
final class Patience {
    /** How a client tries our patience. */
    enum Fault {
        /** It has stopped in the middle of a request, and others wait for the memory. */
        STALLED,
        /** It does not read its answers. */
        DEAF,
        /** It asks nothing and waits for nothing. */
        IDLE
    }

    private final long maxIdleNanos;
    private final long maxStallNanos;
    private long lastActivityNanos = System.nanoTime();
    private long unsentBytesAtLastCheck;

    Patience(SocketSettings sockets) {
        this.maxIdleNanos = TimeUnit.MILLISECONDS.toNanos(sockets.maxIdleMs());
        this.maxStallNanos = TimeUnit.MILLISECONDS.toNanos(sockets.maxStallMs());
    }

    /** The client has sent or taken something. */
    void noteActivity(long nowNanos) {
        lastActivityNanos = nowNanos;
    }

    /** How often to ask for a fault. */
    long checkIntervalNanos() {
        return maxIdleNanos < 0 ? maxStallNanos : Math.min(maxStallNanos, maxIdleNanos);
    }

    /**
     * What is wrong with the client, null if nothing is.
     *
     * @param holdsUpOthers it owes the rest of a request while others wait for memory
     * @param isUnused it waits for no answer, and nothing of its is held up
     */
    @Nullable
    Fault fault(Channel channel, boolean holdsUpOthers, boolean isUnused, long nowNanos) {
        noteProgressOut(channel, nowNanos);
        long quietNanos = quietNanos(nowNanos);
        if (holdsUpOthers && quietNanos >= maxStallNanos) {
            return Fault.STALLED;
        }
        if (maxIdleNanos < 0 || quietNanos < maxIdleNanos) {
            return null;
        }
        if (!channel.isWritable()) {
            return Fault.DEAF;
        }
        return isUnused ? Fault.IDLE : null;
    }

    /** How long the client has done nothing. */
    long quietNanos(long nowNanos) {
        return nowNanos - lastActivityNanos;
    }

    /** A client that takes answers, however slowly, is not idle; the socket does not say so by itself. */
    private void noteProgressOut(Channel channel, long nowNanos) {
        long unsentBytes = channel.bytesBeforeWritable();
        if (unsentBytes != unsentBytesAtLastCheck) {
            unsentBytesAtLastCheck = unsentBytes;
            noteActivity(nowNanos);
        }
    }
}
