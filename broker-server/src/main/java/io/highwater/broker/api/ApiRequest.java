package io.highwater.broker.api;

import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * One request on its way to its handler.
 *
 * @param api what it asks for
 * @param header API key, version, correlation id and client id as sent; the client id is never null
 * @param body the message. Records in it are slices of the network buffer, valid until the handler's future completes or
 *     {@link #doneWithRecords()} is called, whichever is first
 * @param sizeBytes size on the wire, without the length in front
 * @param client whose connection it came from
 * @param arrivalNanos {@link System#nanoTime()} when its last byte was read
 * @param onDoneWithRecords see {@link #doneWithRecords()}
 */
public record ApiRequest(
        ApiKeys api,
        RequestHeaderData header,
        ApiMessage body,
        int sizeBytes,
        Client client,
        long arrivalNanos,
        Runnable onDoneWithRecords) {

    /** The version that request and answer are written in. */
    public short version() {
        return header.requestApiVersion();
    }

    /** What the client calls itself; empty if nothing. */
    public String clientId() {
        return header.clientId();
    }

    /**
     * Says that nobody will look at the records in the body again, so that their memory can serve other requests before this
     * one is answered. A Produce that waits for replicas should say so once it has appended. Any thread, any number of times.
     */
    public void doneWithRecords() {
        onDoneWithRecords.run();
    }
}
