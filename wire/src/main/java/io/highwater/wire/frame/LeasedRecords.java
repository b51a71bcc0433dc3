package io.highwater.wire.frame;

import io.netty.buffer.ByteBuf;
import io.netty.util.ReferenceCounted;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.RecordsSend;
import org.jspecify.annotations.Nullable;

/**
 * Records of a fetch response that are still where they are stored: mapped memory, or a stretch of a file. Whoever holds one
 * owes one {@link #release()}; {@link ResponseEncoder} takes that debt over and pays it when the bytes have been written or
 * given up. Any thread may release; the second and later times do nothing.
 */
public final class LeasedRecords implements BaseRecords {
    private final @Nullable ByteBuffer view;
    private final @Nullable FileChannel file;
    private final long filePosition;
    private final int sizeBytes;
    private final Runnable release;
    private final AtomicBoolean released = new AtomicBoolean();

    private LeasedRecords(
            @Nullable ByteBuffer view, @Nullable FileChannel file, long filePosition, int sizeBytes, Runnable release) {
        this.view = view;
        this.file = file;
        this.filePosition = filePosition;
        this.sizeBytes = sizeBytes;
        this.release = release;
    }

    /**
     * Records in memory, from position to limit of the view. The view must stay readable until {@code release} runs.
     *
     * @param release runs exactly once, on any thread
     */
    public static LeasedRecords mapped(ByteBuffer view, Runnable release) {
        return new LeasedRecords(view, null, 0, view.remaining(), release);
    }

    /**
     * Records in a file, to be sent by the kernel. The file must stay open, and at least this long, until {@code release} runs.
     *
     * @param position of the first byte, inclusive
     * @param release runs exactly once, on any thread
     */
    public static LeasedRecords file(FileChannel file, long position, int sizeBytes, Runnable release) {
        return new LeasedRecords(null, file, position, sizeBytes, release);
    }

    /** Gives the lease back without sending the records. */
    public void release() {
        if (released.compareAndSet(false, true)) {
            release.run();
        }
    }

    /** Gives back every lease in a response that will not be encoded. Responses without records cost one type check. */
    public static void releaseAll(@Nullable ApiMessage response) {
        if (response instanceof FetchResponseData fetch) {
            for (FetchResponseData.FetchableTopicResponse topic : fetch.responses()) {
                for (FetchResponseData.PartitionData partition : topic.partitions()) {
                    if (partition.records() instanceof LeasedRecords leased) {
                        leased.release();
                    }
                }
            }
        }
    }

    /** Whether the records are a stretch of a file rather than memory. */
    public boolean isFile() {
        return file != null;
    }

    /**
     * A private view of records in memory, valid until the release.
     *
     * @throws IllegalStateException if the records are a stretch of a file
     */
    public ByteBuffer view() {
        if (view == null) {
            throw new IllegalStateException("records in a file have no view");
        }
        return view.duplicate();
    }

    @Override
    public int sizeInBytes() {
        return sizeBytes;
    }

    /** Not the way these records are sent: see {@link ResponseEncoder}. */
    @Override
    public RecordsSend<? extends BaseRecords> toSend() {
        throw new UnsupportedOperationException("leased records are written by the response encoder");
    }

    /** What to write to the channel: a {@link ByteBuf} or a file region, which releases the lease when it is released. */
    ReferenceCounted toPart() {
        if (file != null) {
            return new LeasedFileRegion(file, filePosition, sizeBytes, this);
        }
        return LeasedByteBuf.of(view(), this);
    }
}
