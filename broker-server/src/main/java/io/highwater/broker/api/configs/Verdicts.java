package io.highwater.broker.api.configs;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;

/** What became of each resource of one request: settled by this broker, or by the controller. */
final class Verdicts {
    private final Map<Key, ApiError> byResource = new HashMap<>();
    private final Set<Key> asked = new HashSet<>();
    private final Set<Key> askedTwice = new HashSet<>();

    private record Key(byte type, String name) {}

    /** Notes that the request names this resource. */
    void asked(byte type, String name) {
        Key key = new Key(type, name);
        if (!asked.add(key)) {
            askedTwice.add(key);
        }
    }

    /** Ends the matter if the request names the resource more than once: nobody could say which changes are meant. */
    void requireOnce(byte type, String name) throws RefusedException {
        if (askedTwice.contains(new Key(type, name))) {
            throw new RefusedException(Errors.INVALID_REQUEST, "Each resource must appear at most once.");
        }
    }

    void settle(byte type, String name, ApiError verdict) {
        byResource.put(new Key(type, name), verdict);
    }

    boolean isSettled(byte type, String name) {
        return byResource.containsKey(new Key(type, name));
    }

    /** The verdict; a resource that the controller has left out of its answer is an error of the server. */
    ApiError of(byte type, String name) {
        return byResource.getOrDefault(new Key(type, name), new ApiError(Errors.UNKNOWN_SERVER_ERROR));
    }
}
