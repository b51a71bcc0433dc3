package io.highwater.broker.api;

import org.apache.kafka.common.acl.AclOperation;

/** What a client may do, as a bit field over {@link AclOperation} codes. Without an authorizer everybody may do everything. */
public final class AuthorizedOperations {
    /** All that can be done to the cluster. */
    public static final int ALL_OF_CLUSTER = bits(
            AclOperation.CREATE,
            AclOperation.CLUSTER_ACTION,
            AclOperation.DESCRIBE_CONFIGS,
            AclOperation.ALTER_CONFIGS,
            AclOperation.IDEMPOTENT_WRITE,
            AclOperation.ALTER,
            AclOperation.DESCRIBE);

    /** All that can be done to a topic. */
    public static final int ALL_OF_TOPIC = bits(
            AclOperation.READ,
            AclOperation.WRITE,
            AclOperation.CREATE,
            AclOperation.DESCRIBE,
            AclOperation.DELETE,
            AclOperation.ALTER,
            AclOperation.DESCRIBE_CONFIGS,
            AclOperation.ALTER_CONFIGS);

    /** All that can be done to a group. */
    public static final int ALL_OF_GROUP = bits(
            AclOperation.READ,
            AclOperation.DESCRIBE,
            AclOperation.DELETE,
            AclOperation.DESCRIBE_CONFIGS,
            AclOperation.ALTER_CONFIGS);

    /** What an answer holds when the client did not ask. */
    public static final int NOT_ASKED = Integer.MIN_VALUE;

    private AuthorizedOperations() {}

    private static int bits(AclOperation... operations) {
        int field = 0;
        for (AclOperation operation : operations) {
            field |= 1 << operation.code();
        }
        return field;
    }
}
