package io.highwater.broker.http;

import io.highwater.broker.metrics.SeriesWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Sends a scrape while it is being written: of tens of megabytes only {@link #MAX_PIECES} pieces are in memory, which is the pool's. Used by
 * the worker that scrapes, which waits for a slow reader, but not for ever.
 */
final class ScrapeStream implements SeriesWriter.Sink {
    /** So many may have been given to the socket and not been taken by it. */
    static final int MAX_PIECES = 16;

    /** Others wait meanwhile. */
    private static final long PATIENCE_SECONDS = 30;

    private final HttpServerResponse response;
    private final Semaphore room = new Semaphore(MAX_PIECES);
    private volatile boolean broken;

    /** 0 until the first piece: the scrape may have had to wait for another. */
    private long giveUpAtNanos;

    /** @param response chunked, nothing written yet */
    ScrapeStream(HttpServerResponse response) {
        this.response = response;
    }

    /** What a reader that went away or stopped to read ends a scrape with. */
    static final class BrokenOffException extends RuntimeException {
        private static final long serialVersionUID = 1;

        BrokenOffException(String message) {
            super(message);
        }
    }

    @Override
    public void take(byte[] bytes, int length) {
        if (giveUpAtNanos == 0) {
            giveUpAtNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        }
        awaitRoom();
        ByteBuf piece = PooledByteBufAllocator.DEFAULT.buffer(length).writeBytes(bytes, 0, length);
        response.write(BufferInternal.buffer(piece)).onComplete(written -> {
            broken |= written.failed();
            piece.release();
            room.release();
        });
    }

    private void awaitRoom() {
        try {
            if (!room.tryAcquire(giveUpAtNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new BrokenOffException("not all was taken within " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokenOffException("the broker stops");
        }
        if (broken) {
            throw new BrokenOffException("the connection is gone");
        }
    }
}
