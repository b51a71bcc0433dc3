package io.highwater.controlplane;

import io.highwater.controlplane.ControlPlaneException.Reason;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.raft.KRaftConfigs;
import org.apache.kafka.raft.MetadataLogConfig;
import org.apache.kafka.raft.QuorumConfig;

/** The settings of {@code server.properties} that this room reads, parsed with Kafka's own definitions. Immutable. */
final class StaticConfig {
    /**
     * Kafka lets a batch of metadata wait 25 ms for company. A controller writes in whole batches anyway, so the wait only adds to each
     * administrative request.
     */
    private static final String DEFAULT_LINGER_MS = "0";

    private static final String NUM_PARTITIONS = "num.partitions";
    private static final String DEFAULT_REPLICATION_FACTOR = "default.replication.factor";
    private static final String AUTO_LEADER_REBALANCE = "auto.leader.rebalance.enable";
    private static final String IMBALANCE_CHECK_SECONDS = "leader.imbalance.check.interval.seconds";
    private static final String UNCLEAN_ELECTION_INTERVAL_MS = "unclean.leader.election.interval.ms";
    private static final String DELETE_TOPIC_ENABLE = "delete.topic.enable";
    private static final String REQUEST_TIMEOUT_MS = "request.timeout.ms";
    private static final String CONNECTION_SETUP_TIMEOUT_MS = "socket.connection.setup.timeout.ms";
    private static final String CONNECTION_SETUP_TIMEOUT_MAX_MS = "socket.connection.setup.timeout.max.ms";
    private static final String REMOTE_STORAGE = "remote.log.storage.system.enable";

    private static final ConfigDef DEFINITIONS = definitions();

    private final AbstractConfig values;
    private final QuorumConfig quorum;
    private final Map<String, String> given;

    StaticConfig(Map<String, String> properties) {
        given = Map.copyOf(properties);
        Map<String, String> withDefaults = new HashMap<>(properties);
        withDefaults.putIfAbsent(QuorumConfig.QUORUM_LINGER_MS_CONFIG, DEFAULT_LINGER_MS);
        try {
            values = new AbstractConfig(DEFINITIONS, withDefaults, false);
            quorum = new QuorumConfig(values);
            QuorumConfig.parseVoterConnections(quorum.voters());
            QuorumConfig.parseBootstrapServers(quorum.bootstrapServers());
        } catch (ConfigException wrong) {
            throw new ControlPlaneException(Reason.BAD_SETTING, String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private static ConfigDef definitions() {
        ConfigDef all = new ConfigDef(QuorumConfig.CONFIG_DEF);
        MetadataLogConfig.CONFIG_DEF.configKeys().values().forEach(all::define);
        for (String name : List.of(
                KRaftConfigs.INITIAL_BROKER_REGISTRATION_TIMEOUT_MS_CONFIG,
                KRaftConfigs.BROKER_HEARTBEAT_INTERVAL_MS_CONFIG,
                KRaftConfigs.BROKER_SESSION_TIMEOUT_MS_CONFIG,
                KRaftConfigs.SASL_MECHANISM_CONTROLLER_PROTOCOL_CONFIG)) {
            all.define(KRaftConfigs.CONFIG_DEF.configKeys().get(name));
        }
        positive(all, NUM_PARTITIONS, 1);
        positive(all, DEFAULT_REPLICATION_FACTOR, 1);
        positive(all, IMBALANCE_CHECK_SECONDS, 300);
        positive(all, UNCLEAN_ELECTION_INTERVAL_MS, 300_000);
        positive(all, REQUEST_TIMEOUT_MS, 30_000);
        positive(all, CONNECTION_SETUP_TIMEOUT_MS, 10_000);
        positive(all, CONNECTION_SETUP_TIMEOUT_MAX_MS, 30_000);
        flag(all, AUTO_LEADER_REBALANCE, true);
        flag(all, DELETE_TOPIC_ENABLE, true);
        flag(all, REMOTE_STORAGE, false);
        SslConfigs.addClientSslSupport(all);
        SaslConfigs.addClientSaslSupport(all);
        return all;
    }

    private static void positive(ConfigDef all, String name, int byDefault) {
        all.define(name, ConfigDef.Type.INT, byDefault, ConfigDef.Range.atLeast(1), ConfigDef.Importance.MEDIUM, "");
    }

    private static void flag(ConfigDef all, String name, boolean byDefault) {
        all.define(name, ConfigDef.Type.BOOLEAN, byDefault, ConfigDef.Importance.MEDIUM, "");
    }

    /** All of it, for the library's own constructors. */
    AbstractConfig values() {
        return values;
    }

    /** What was given, without any default. */
    Map<String, String> given() {
        return given;
    }

    QuorumConfig quorum() {
        return quorum;
    }

    /** Voters by id as {@code controller.quorum.voters} names them; empty for a dynamic quorum. */
    Map<Integer, InetSocketAddress> staticVoters() {
        return QuorumConfig.parseVoterConnections(quorum.voters());
    }

    List<InetSocketAddress> quorumBootstrapServers() {
        return QuorumConfig.parseBootstrapServers(quorum.bootstrapServers());
    }

    List<Integer> voterIds() {
        return new ArrayList<>(staticVoters().keySet());
    }

    int numPartitions() {
        return values.getInt(NUM_PARTITIONS);
    }

    short defaultReplicationFactor() {
        return values.getInt(DEFAULT_REPLICATION_FACTOR).shortValue();
    }

    /** How often leaders are moved back to the preferred replica; empty for never. */
    OptionalLong leaderImbalanceCheckNs() {
        return values.getBoolean(AUTO_LEADER_REBALANCE)
                ? OptionalLong.of(TimeUnit.SECONDS.toNanos(values.getInt(IMBALANCE_CHECK_SECONDS)))
                : OptionalLong.empty();
    }

    long uncleanElectionIntervalMs() {
        return values.getInt(UNCLEAN_ELECTION_INTERVAL_MS);
    }

    /** How long an idle controller waits before it writes a NoOp record; empty for never. */
    OptionalLong maxIdleNs() {
        int maxIdleMs = values.getInt(MetadataLogConfig.METADATA_MAX_IDLE_INTERVAL_MS_CONFIG);
        return maxIdleMs > 0 ? OptionalLong.of(TimeUnit.MILLISECONDS.toNanos(maxIdleMs)) : OptionalLong.empty();
    }

    long snapshotMaxNewBytes() {
        return values.getLong(MetadataLogConfig.METADATA_SNAPSHOT_MAX_NEW_RECORD_BYTES_CONFIG);
    }

    long snapshotMaxIntervalNs() {
        return TimeUnit.MILLISECONDS.toNanos(
                values.getLong(MetadataLogConfig.METADATA_SNAPSHOT_MAX_INTERVAL_MS_CONFIG));
    }

    long sessionTimeoutNs() {
        return TimeUnit.MILLISECONDS.toNanos(values.getInt(KRaftConfigs.BROKER_SESSION_TIMEOUT_MS_CONFIG));
    }

    /** How long a broker waits for the answer to a heartbeat, or to its registration: half a session, as in Kafka. */
    int heartbeatTimeoutMs() {
        return Math.max(1, values.getInt(KRaftConfigs.BROKER_SESSION_TIMEOUT_MS_CONFIG) / 2);
    }

    int heartbeatIntervalMs() {
        return values.getInt(KRaftConfigs.BROKER_HEARTBEAT_INTERVAL_MS_CONFIG);
    }

    int registrationTimeoutMs() {
        return values.getInt(KRaftConfigs.INITIAL_BROKER_REGISTRATION_TIMEOUT_MS_CONFIG);
    }

    String saslMechanism() {
        return values.getString(KRaftConfigs.SASL_MECHANISM_CONTROLLER_PROTOCOL_CONFIG);
    }

    boolean deleteTopicEnabled() {
        return values.getBoolean(DELETE_TOPIC_ENABLE);
    }

    boolean remoteStorageEnabled() {
        return values.getBoolean(REMOTE_STORAGE);
    }

    int requestTimeoutMs() {
        return values.getInt(REQUEST_TIMEOUT_MS);
    }

    int connectionSetupTimeoutMs() {
        return values.getInt(CONNECTION_SETUP_TIMEOUT_MS);
    }

    int connectionSetupTimeoutMaxMs() {
        return values.getInt(CONNECTION_SETUP_TIMEOUT_MAX_MS);
    }
}
