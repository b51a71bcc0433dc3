package io.highwater.wire.frame;

import io.netty.util.ReferenceCounted;
import java.util.List;

/**
 * A response ready to be written, length in front included.
 *
 * @param parts each a {@link io.netty.buffer.ByteBuf} or a {@link io.netty.channel.FileRegion}, to be written in this order.
 *     Whoever takes the response owes each part one release; writing it to a channel pays that
 * @param sizeBytes all bytes, the four of the length included
 */
public record EncodedResponse(List<ReferenceCounted> parts, long sizeBytes) {

    /** Releases every part, for a response that will not be written. */
    public void release() {
        parts.forEach(ReferenceCounted::release);
    }
}
