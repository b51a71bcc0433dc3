package io.highwater.wire.frame;

import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * One decoded request.
 *
 * @param header the header as sent, with an empty client id in place of a missing one
 * @param api the API it asks for
 * @param body the message; its records, if any, are slices of the frame it was read from and live no longer than that. When
 *     {@code versionKnown} is false: an empty message
 * @param versionKnown false only for ApiVersions in a version that we do not answer, which must be refused and not dropped
 * @param refersToFrame whether the body has slices of the frame, which must then be kept while the body is in use
 * @param sizeBytes the size of the frame, without the length in front
 */
public record Request(
        RequestHeaderData header,
        ApiKeys api,
        ApiMessage body,
        boolean versionKnown,
        boolean refersToFrame,
        int sizeBytes) {

    /** The version to encode the answer in: the request's own, or 0 when that is not known. */
    public short answerVersion() {
        return versionKnown ? header.requestApiVersion() : 0;
    }

    /** The version of the header of the answer. */
    public short answerHeaderVersion() {
        return api.responseHeaderVersion(answerVersion());
    }

    /** API and version, for messages. */
    public String describe() {
        return api.name + " v" + header.requestApiVersion();
    }
}
