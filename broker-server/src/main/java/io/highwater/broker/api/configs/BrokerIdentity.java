package io.highwater.broker.api.configs;

import org.apache.kafka.common.protocol.Errors;

/**
 * Checks that a broker resource is this broker.
 *
 * @param nodeId of this broker
 */
record BrokerIdentity(int nodeId) {
    void require(String resourceName) throws RefusedException {
        int asked;
        try {
            asked = Integer.parseInt(resourceName);
        } catch (NumberFormatException e) {
            throw new RefusedException(
                    Errors.INVALID_REQUEST, "a broker's id is an integer, but it is: " + resourceName);
        }
        if (asked != nodeId) {
            throw new RefusedException(
                    Errors.INVALID_REQUEST, "this is broker " + nodeId + ", not " + resourceName + "; ask that one");
        }
    }
}
