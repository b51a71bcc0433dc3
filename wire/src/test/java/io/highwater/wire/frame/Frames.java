package io.highwater.wire.frame;

import io.highwater.wire.api.ApiSupport;
import io.highwater.wire.api.ListenerRole;
import io.highwater.wire.api.VersionRange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/** Requests as a client would write them, without the length in front. */
final class Frames {
    static final int CORRELATION_ID = 4711;
    static final String CLIENT_ID = "tester";

    private Frames() {}

    static ByteBuf request(ApiMessage body, int version) {
        return Unpooled.wrappedBuffer(header(body.apiKey(), version), bytes(body, (short) version));
    }

    static byte[] header(int apiKey, int version) {
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey((short) apiKey)
                .setRequestApiVersion((short) version)
                .setCorrelationId(CORRELATION_ID)
                .setClientId(CLIENT_ID);
        return bytes(header, ApiKeys.forId(apiKey).requestHeaderVersion((short) version));
    }

    static byte[] bytes(Message message, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(message.size(cache, version));
        message.write(new ByteBufferAccessor(buffer), cache, version);
        return buffer.array();
    }

    /** Every version of every API of this listener. */
    static List<ApiAndVersion> allVersions(ListenerRole role) {
        List<ApiAndVersion> all = new ArrayList<>();
        ApiSupport support = ApiSupport.of(role, ApiSupport.known(role));
        for (ApiKeys api : support.apis()) {
            VersionRange range = support.versions(api);
            if (range == null) {
                throw new AssertionError(api);
            }
            for (short version = range.min(); version <= range.max(); version++) {
                all.add(new ApiAndVersion(api, version));
            }
        }
        return all;
    }

    record ApiAndVersion(ApiKeys api, short version) {
        /** Whether a message with nothing set can be written in this version; some old ones have no place for a default. */
        boolean canWrite(ApiMessage message) {
            try {
                bytes(message, version);
                return true;
            } catch (UnsupportedVersionException | NullPointerException e) {
                return false;
            }
        }
    }
}
