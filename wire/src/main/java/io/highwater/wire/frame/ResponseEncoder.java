package io.highwater.wire.frame;

import io.netty.buffer.ByteBufAllocator;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/**
 * Writes responses: one buffer for everything but records, cut where records come in between, and the records as they are.
 * Hot: one call for each response. Stateless.
 */
public final class ResponseEncoder {
    private ResponseEncoder() {}

    /**
     * Encodes one response. Takes over every {@link LeasedRecords} in the body, also when it throws.
     *
     * @param allocator for the direct buffer of header and fields
     * @param headerVersion of the response header, as {@link Request#answerHeaderVersion()} says
     * @param version of the body, as {@link Request#answerVersion()} says
     * @throws RuntimeException if the body cannot be written in this version, which is our bug
     */
    public static EncodedResponse encode(
            ByteBufAllocator allocator, int correlationId, short headerVersion, ApiMessage body, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        MessageSizeAccumulator size = new MessageSizeAccumulator();
        ResponseHeaderData header = new ResponseHeaderData().setCorrelationId(correlationId);
        PartWriter writer = null;
        try {
            header.addSize(size, cache, headerVersion);
            body.addSize(size, cache, version);
            writer = new PartWriter(allocator.directBuffer(Integer.BYTES + size.sizeExcludingZeroCopy()));
            writer.writeInt(size.totalSize());
            header.write(writer, cache, headerVersion);
            body.write(writer, cache, version);
            return writer.finish(Integer.BYTES + (long) size.totalSize());
        } catch (RuntimeException e) {
            if (writer != null) {
                writer.abandon();
            }
            LeasedRecords.releaseAll(body);
            throw e;
        }
    }
}
