package io.highwater.broker.api.configs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;

/** What became of each resource of one request to alter settings: settled by this broker, or by the controller. */
final class Verdicts {
    private final Map<Key, ApiError> byResource = new HashMap<>();

    /** Which resource. */
    record Key(byte type, String name) {}

    /** Looks at what the request wants of one resource. */
    @FunctionalInterface
    interface Check<R> {
        /**
         * Does here what is to be done here.
         *
         * @return whether that was all; false if the controller has to be asked
         * @throws RefusedException if the request is refused as far as this resource goes
         */
        boolean settle(R resource) throws RefusedException;
    }

    /**
     * Settles what can be settled here. A resource that is named more than once is refused: nobody could say which changes are
     * meant.
     *
     * @return the rest, for the controller
     */
    <R> List<R> settleHere(Collection<R> resources, Function<R, Key> keyOf, Check<R> check) {
        Set<Key> once = new HashSet<>();
        Set<Key> twice = new HashSet<>();
        resources.stream().map(keyOf).filter(key -> !once.add(key)).forEach(twice::add);
        List<R> rest = new ArrayList<>();
        for (R resource : resources) {
            Key key = keyOf.apply(resource);
            if (twice.contains(key)) {
                settle(key, new ApiError(Errors.INVALID_REQUEST, "Each resource must appear at most once."));
                continue;
            }
            try {
                if (check.settle(resource)) {
                    settle(key, ApiError.NONE);
                } else {
                    rest.add(resource);
                }
            } catch (RefusedException e) {
                settle(key, new ApiError(e.error(), e.getMessage()));
            }
        }
        return rest;
    }

    void settle(Key key, ApiError verdict) {
        byResource.put(key, verdict);
    }

    /** The verdict; a resource that the controller has left out of its answer is an error of the server. */
    ApiError of(Key key) {
        return byResource.getOrDefault(key, new ApiError(Errors.UNKNOWN_SERVER_ERROR));
    }
}
