package io.highwater.wire.frame;

import io.highwater.wire.api.ApiSupport;
import io.highwater.wire.api.VersionRange;
import io.highwater.wire.frame.FrameException.Reason;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * Reads the request in a frame. Hot: one call for each request. Records stay slices of the frame; what the other fields may
 * cost on the heap is bounded by {@link BoundedReadable}. Stateless, so any thread may call.
 */
public final class RequestReader {
    private final ApiSupport support;

    /** A reader for a listener that answers these APIs. */
    public RequestReader(ApiSupport support) {
        this.support = support;
    }

    /**
     * Reads header and body. The reference count and the indexes of the frame stay as they are.
     *
     * @param frame the bytes after the length
     * @throws FrameException if this is not a request that can be answered
     */
    public Request read(ByteBuf frame) throws FrameException {
        int sizeBytes = frame.readableBytes();
        ByteBuffer bytes = frame.nioBuffer();
        if (sizeBytes < FrameDecoder.MIN_FRAME_BYTES) {
            throw new FrameException(Reason.MALFORMED, "a request of " + sizeBytes + " bytes has no room for a header");
        }
        short apiKey = bytes.getShort(0);
        short version = bytes.getShort(Short.BYTES);
        if (!ApiKeys.hasId(apiKey)) {
            throw new FrameException(Reason.UNKNOWN_API, "no API has the key " + apiKey);
        }
        ApiKeys api = ApiKeys.forId(apiKey);
        VersionRange range = support.versions(api);
        if (range == null) {
            throw new FrameException(
                    Reason.UNKNOWN_API, "API " + api.name + " (" + apiKey + ") is not answered on this listener");
        }
        boolean versionKnown = range.contains(version);
        if (!versionKnown && api != ApiKeys.API_VERSIONS) {
            throw new FrameException(
                    Reason.UNSUPPORTED_VERSION,
                    api.name + " v" + version + " is not answered, only v" + range.min() + " to v" + range.max());
        }
        return parse(bytes, api, version, versionKnown);
    }

    private static Request parse(ByteBuffer bytes, ApiKeys api, short version, boolean versionKnown)
            throws FrameException {
        int sizeBytes = bytes.remaining();
        BoundedReadable readable = new BoundedReadable(bytes);
        try {
            RequestHeaderData header = new RequestHeaderData(readable, api.requestHeaderVersion(version));
            if (header.clientId() == null) {
                header.setClientId("");
            }
            if (!versionKnown) {
                return new Request(header, api, new ApiVersionsRequestData(), false, false, sizeBytes);
            }
            ApiMessage body = api.messageType.newRequest();
            body.read(readable, version);
            return new Request(header, api, body, true, readable.handedOutSlices(), sizeBytes);
        } catch (RuntimeException e) {
            // The generated readers throw whatever the buffer throws; all of it means the same thing.
            String why = e.getMessage() == null ? "it ends too early" : e.getMessage();
            throw new FrameException(
                    Reason.MALFORMED,
                    "a request of " + sizeBytes + " bytes cannot be read as " + api.name + " v" + version + ": " + why,
                    e);
        }
    }
}
