package io.highwater.storage.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Looks over the frames of a snappy stream before it is decompressed. The decompressor believes every length it reads and takes
 * memory for it; snappy cannot shrink data below a 1/{@value #INFLATION_MAX}, so a frame that claims more is lying.
 */
final class SnappyFraming {
    static final int INFLATION_MAX = 32;

    private static final int STREAM_HEADER_BYTES = 16;
    private static final byte[] MAGIC = {(byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};

    private SnappyFraming() {}

    /**
     * Reads all frame lengths.
     *
     * @throws IOException if one does not fit into what is there, or claims an impossible inflated size
     */
    static void check(ByteBuffer stream) throws IOException {
        if (!startsWithMagic(stream)) {
            checkBlock(stream.duplicate());
            return;
        }
        while (stream.hasRemaining()) {
            if (startsWithMagic(stream)) {
                // Streams may be joined: a header can follow any frame.
                if (stream.remaining() < STREAM_HEADER_BYTES) {
                    throw new IOException("a snappy stream header is cut short");
                }
                stream.position(stream.position() + STREAM_HEADER_BYTES);
                continue;
            }
            if (stream.remaining() < Integer.BYTES) {
                throw new IOException("a snappy frame length is cut short");
            }
            int frameBytes = stream.getInt();
            if (frameBytes < 0 || frameBytes > stream.remaining()) {
                throw new IOException("a snappy frame of " + frameBytes + " bytes exceeds the " + stream.remaining()
                        + " that are there");
            }
            checkBlock(stream.slice(stream.position(), frameBytes));
            stream.position(stream.position() + frameBytes);
        }
    }

    private static boolean startsWithMagic(ByteBuffer stream) {
        if (stream.remaining() < MAGIC.length) {
            return false;
        }
        for (int i = 0; i < MAGIC.length; i++) {
            if (stream.get(stream.position() + i) != MAGIC[i]) {
                return false;
            }
        }
        return true;
    }

    private static void checkBlock(ByteBuffer block) throws IOException {
        long inflated = 0;
        int blockBytes = block.remaining();
        for (int shift = 0; ; shift += 7) {
            if (shift > 28 || !block.hasRemaining()) {
                throw new IOException("a snappy block has no length");
            }
            int part = block.get() & 0xff;
            inflated |= (long) (part & 0x7f) << shift;
            if (part < 0x80) {
                break;
            }
        }
        if (inflated > (long) blockBytes * INFLATION_MAX) {
            throw new IOException("a snappy block of " + blockBytes + " bytes claims to inflate to " + inflated);
        }
    }
}
