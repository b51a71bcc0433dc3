package io.highwater.broker.peer;

import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * A connection to a leader on which versions are settled.
 *
 * @param versions to be used on it
 */
record LeaderConnection(PeerConnection peer, FetchVersions versions) {
    void send(ApiKeys api, short version, ApiMessage body, PeerConnection.Answer answer) {
        peer.send(api, version, body, answer);
    }

    void close() {
        peer.close();
    }
}
