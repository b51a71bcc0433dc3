package io.highwater.wire.api;

import static org.apache.kafka.common.protocol.ApiKeys.*;

import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * One line for each API and listener role: what we can answer. An API missing here is neither parsed nor advertised, even if
 * somebody wrote a handler for it.
 */
final class VersionTable {
    private final Map<ApiKeys, VersionRange> ranges = new EnumMap<>(ApiKeys.class);

    private VersionTable() {}

    static Map<ApiKeys, VersionRange> of(ListenerRole role) {
        return switch (role) {
            case BROKER -> broker();
            case CONTROLLER -> controller();
        };
    }

    private static Map<ApiKeys, VersionRange> broker() {
        VersionTable table = new VersionTable();
        // Clients built on old librdkafka conclude from a minimum above 0 that the broker has no Produce for them at
        // all.
        table.ranges.put(PRODUCE, new VersionRange((short) 0, (short) 3, (short) 13));
        return table.add(FETCH, 4, 18)
                .add(LIST_OFFSETS, 1, 11)
                .add(METADATA, 0, 13)
                .add(OFFSET_COMMIT, 2, 10)
                .add(OFFSET_FETCH, 1, 10)
                .add(FIND_COORDINATOR, 0, 6)
                .add(JOIN_GROUP, 0, 9)
                .add(HEARTBEAT, 0, 4)
                .add(LEAVE_GROUP, 0, 5)
                .add(SYNC_GROUP, 0, 5)
                .add(DESCRIBE_GROUPS, 0, 6)
                .add(LIST_GROUPS, 0, 5)
                .add(API_VERSIONS, 0, 5)
                .add(CREATE_TOPICS, 2, 7)
                .add(DELETE_TOPICS, 1, 6)
                .add(DELETE_RECORDS, 0, 2)
                .add(INIT_PRODUCER_ID, 0, 5)
                .add(OFFSET_FOR_LEADER_EPOCH, 2, 4)
                .add(DESCRIBE_CONFIGS, 1, 4)
                .add(ALTER_CONFIGS, 0, 2)
                .add(ALTER_REPLICA_LOG_DIRS, 1, 2)
                .add(DESCRIBE_LOG_DIRS, 1, 5)
                .add(CREATE_PARTITIONS, 0, 3)
                .add(DELETE_GROUPS, 0, 3)
                .add(ELECT_LEADERS, 0, 2)
                .add(INCREMENTAL_ALTER_CONFIGS, 0, 1)
                .add(ALTER_PARTITION_REASSIGNMENTS, 0, 1)
                .add(LIST_PARTITION_REASSIGNMENTS, 0, 0)
                .add(OFFSET_DELETE, 0, 0)
                .add(DESCRIBE_QUORUM, 0, 2)
                .add(UPDATE_FEATURES, 0, 2)
                .add(DESCRIBE_CLUSTER, 0, 2)
                .add(DESCRIBE_PRODUCERS, 0, 0)
                .add(UNREGISTER_BROKER, 0, 0)
                .add(CONSUMER_GROUP_HEARTBEAT, 0, 1)
                .add(CONSUMER_GROUP_DESCRIBE, 0, 1)
                .add(LIST_CONFIG_RESOURCES, 0, 1)
                .add(DESCRIBE_TOPIC_PARTITIONS, 0, 0)
                .add(ADD_RAFT_VOTER, 0, 1)
                .add(REMOVE_RAFT_VOTER, 0, 0)
                .add(UNREGISTER_CONTROLLER, 0, 0)
                .ranges;
    }

    private static Map<ApiKeys, VersionRange> controller() {
        return new VersionTable()
                .add(FETCH, 4, 18)
                .add(SASL_HANDSHAKE, 0, 1)
                .add(API_VERSIONS, 0, 5)
                .add(CREATE_TOPICS, 2, 7)
                .add(DELETE_TOPICS, 1, 6)
                .add(DESCRIBE_ACLS, 1, 3)
                .add(CREATE_ACLS, 1, 3)
                .add(DELETE_ACLS, 1, 3)
                .add(DESCRIBE_CONFIGS, 1, 4)
                .add(ALTER_CONFIGS, 0, 2)
                .add(SASL_AUTHENTICATE, 0, 2)
                .add(CREATE_PARTITIONS, 0, 3)
                .add(CREATE_DELEGATION_TOKEN, 1, 3)
                .add(RENEW_DELEGATION_TOKEN, 1, 2)
                .add(EXPIRE_DELEGATION_TOKEN, 1, 2)
                .add(DESCRIBE_DELEGATION_TOKEN, 1, 3)
                .add(ELECT_LEADERS, 0, 2)
                .add(INCREMENTAL_ALTER_CONFIGS, 0, 1)
                .add(ALTER_PARTITION_REASSIGNMENTS, 0, 1)
                .add(LIST_PARTITION_REASSIGNMENTS, 0, 0)
                .add(ALTER_CLIENT_QUOTAS, 0, 1)
                .add(DESCRIBE_USER_SCRAM_CREDENTIALS, 0, 0)
                .add(ALTER_USER_SCRAM_CREDENTIALS, 0, 0)
                .add(VOTE, 0, 2)
                .add(BEGIN_QUORUM_EPOCH, 0, 1)
                .add(END_QUORUM_EPOCH, 0, 1)
                .add(DESCRIBE_QUORUM, 0, 2)
                .add(ALTER_PARTITION, 2, 3)
                .add(UPDATE_FEATURES, 0, 2)
                .add(ENVELOPE, 0, 0)
                .add(FETCH_SNAPSHOT, 0, 1)
                .add(DESCRIBE_CLUSTER, 0, 2)
                .add(BROKER_REGISTRATION, 0, 4)
                .add(BROKER_HEARTBEAT, 0, 2)
                .add(UNREGISTER_BROKER, 0, 0)
                .add(ALLOCATE_PRODUCER_IDS, 0, 0)
                .add(CONTROLLER_REGISTRATION, 0, 0)
                .add(ASSIGN_REPLICAS_TO_DIRS, 0, 0)
                .add(ADD_RAFT_VOTER, 0, 1)
                .add(REMOVE_RAFT_VOTER, 0, 0)
                .add(UPDATE_RAFT_VOTER, 0, 0)
                .add(UNREGISTER_CONTROLLER, 0, 0)
                .ranges;
    }

    private VersionTable add(ApiKeys api, int min, int max) {
        ranges.put(api, new VersionRange((short) min, (short) min, (short) max));
        return this;
    }
}
