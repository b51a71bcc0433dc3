package io.highwater.storage.log;

import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;

import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.record.internal.CompressionType;

/** Kafka 4.4's topic settings: name, type, default and what is allowed. Texts are those of kafka-clients. */
final class LogSettingsDefinition {
    static final String INTERNAL_SEGMENT_BYTES = "internal.segment.bytes";
    static final String LEADER_THROTTLED = "leader.replication.throttled.replicas";
    static final String FOLLOWER_THROTTLED = "follower.replication.throttled.replicas";

    private static final Pattern PARTITION_AND_BROKER = Pattern.compile("[0-9]+:[0-9]+");

    static final ConfigDef DEFINITION = define();

    private LogSettingsDefinition() {}

    private static ConfigDef define() {
        final long dayMs = 86_400_000L;
        final int largestArray = Integer.MAX_VALUE - 8;
        return new ConfigDef()
                .define(
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        ConfigDef.Type.LIST,
                        TopicConfig.CLEANUP_POLICY_DELETE,
                        ConfigDef.ValidList.in(TopicConfig.CLEANUP_POLICY_COMPACT, TopicConfig.CLEANUP_POLICY_DELETE),
                        Importance.MEDIUM,
                        TopicConfig.CLEANUP_POLICY_DOC)
                .define(
                        TopicConfig.COMPRESSION_TYPE_CONFIG,
                        ConfigDef.Type.STRING,
                        "producer",
                        ConfigDef.ValidString.in("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
                        Importance.MEDIUM,
                        TopicConfig.COMPRESSION_TYPE_DOC)
                .define(
                        TopicConfig.COMPRESSION_GZIP_LEVEL_CONFIG,
                        ConfigDef.Type.INT,
                        CompressionType.GZIP.defaultLevel(),
                        CompressionType.GZIP.levelValidator(),
                        Importance.MEDIUM,
                        TopicConfig.COMPRESSION_GZIP_LEVEL_DOC)
                .define(
                        TopicConfig.COMPRESSION_LZ4_LEVEL_CONFIG,
                        ConfigDef.Type.INT,
                        CompressionType.LZ4.defaultLevel(),
                        CompressionType.LZ4.levelValidator(),
                        Importance.MEDIUM,
                        TopicConfig.COMPRESSION_LZ4_LEVEL_DOC)
                .define(
                        TopicConfig.COMPRESSION_ZSTD_LEVEL_CONFIG,
                        ConfigDef.Type.INT,
                        CompressionType.ZSTD.defaultLevel(),
                        CompressionType.ZSTD.levelValidator(),
                        Importance.MEDIUM,
                        TopicConfig.COMPRESSION_ZSTD_LEVEL_DOC)
                .define(
                        TopicConfig.DELETE_RETENTION_MS_CONFIG,
                        ConfigDef.Type.LONG,
                        dayMs,
                        atLeast(0),
                        Importance.MEDIUM,
                        TopicConfig.DELETE_RETENTION_MS_DOC)
                .define(
                        TopicConfig.ERRORS_DEADLETTERQUEUE_GROUP_ENABLE_CONFIG,
                        ConfigDef.Type.BOOLEAN,
                        false,
                        Importance.MEDIUM,
                        TopicConfig.ERRORS_DEADLETTERQUEUE_GROUP_ENABLE_DOC)
                .define(
                        TopicConfig.FILE_DELETE_DELAY_MS_CONFIG,
                        ConfigDef.Type.LONG,
                        60_000L,
                        atLeast(0),
                        Importance.MEDIUM,
                        TopicConfig.FILE_DELETE_DELAY_MS_DOC)
                .define(
                        TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG,
                        ConfigDef.Type.LONG,
                        Long.MAX_VALUE,
                        atLeast(1),
                        Importance.MEDIUM,
                        TopicConfig.FLUSH_MESSAGES_INTERVAL_DOC)
                .define(
                        TopicConfig.FLUSH_MS_CONFIG,
                        ConfigDef.Type.LONG,
                        Long.MAX_VALUE,
                        atLeast(0),
                        Importance.MEDIUM,
                        TopicConfig.FLUSH_MS_DOC)
                .define(
                        TopicConfig.INDEX_INTERVAL_BYTES_CONFIG,
                        ConfigDef.Type.INT,
                        4096,
                        atLeast(0),
                        Importance.MEDIUM,
                        TopicConfig.INDEX_INTERVAL_BYTES_DOC)
                .define(
                        TopicConfig.LOCAL_LOG_RETENTION_BYTES_CONFIG,
                        ConfigDef.Type.LONG,
                        -2L,
                        atLeast(-2),
                        Importance.MEDIUM,
                        TopicConfig.LOCAL_LOG_RETENTION_BYTES_DOC)
                .define(
                        TopicConfig.LOCAL_LOG_RETENTION_MS_CONFIG,
                        ConfigDef.Type.LONG,
                        -2L,
                        atLeast(-2),
                        Importance.MEDIUM,
                        TopicConfig.LOCAL_LOG_RETENTION_MS_DOC)
                .define(
                        TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG,
                        ConfigDef.Type.LONG,
                        Long.MAX_VALUE,
                        atLeast(1),
                        Importance.MEDIUM,
                        TopicConfig.MAX_COMPACTION_LAG_MS_DOC)
                .define(
                        TopicConfig.MAX_DECOMPRESSED_MESSAGE_BYTES_CONFIG,
                        ConfigDef.Type.INT,
                        largestArray,
                        between(1, largestArray),
                        Importance.MEDIUM,
                        TopicConfig.MAX_DECOMPRESSED_MESSAGE_BYTES_DOC)
                .define(
                        TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                        ConfigDef.Type.INT,
                        1_048_588,
                        atLeast(0),
                        Importance.MEDIUM,
                        TopicConfig.MAX_MESSAGE_BYTES_DOC)
                .define(
                        TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
                        ConfigDef.Type.LONG,
                        3_600_000L,
                        atLeast(0),
                        Importance.MEDIUM,
                        TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_DOC)
                .define(
                        TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG,
                        ConfigDef.Type.LONG,
                        Long.MAX_VALUE,
                        atLeast(0),
                        Importance.MEDIUM,
                        TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_DOC)
                .define(
                        TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                        ConfigDef.Type.STRING,
                        "CreateTime",
                        ConfigDef.ValidString.in("CreateTime", "LogAppendTime"),
                        Importance.MEDIUM,
                        TopicConfig.MESSAGE_TIMESTAMP_TYPE_DOC)
                .define(
                        TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
                        ConfigDef.Type.DOUBLE,
                        0.5,
                        between(0, 1),
                        Importance.MEDIUM,
                        TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_DOC)
                .define(
                        TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG,
                        ConfigDef.Type.LONG,
                        0L,
                        atLeast(0),
                        Importance.MEDIUM,
                        TopicConfig.MIN_COMPACTION_LAG_MS_DOC)
                .define(
                        TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                        ConfigDef.Type.INT,
                        1,
                        atLeast(1),
                        Importance.MEDIUM,
                        TopicConfig.MIN_IN_SYNC_REPLICAS_DOC)
                .define(
                        TopicConfig.PREALLOCATE_CONFIG,
                        ConfigDef.Type.BOOLEAN,
                        false,
                        Importance.MEDIUM,
                        TopicConfig.PREALLOCATE_DOC)
                .define(
                        TopicConfig.REMOTE_COPY_LAG_BYTES_CONFIG,
                        ConfigDef.Type.LONG,
                        -1L,
                        atLeast(-1),
                        Importance.MEDIUM,
                        TopicConfig.REMOTE_COPY_LAG_BYTES_DOC)
                .define(
                        TopicConfig.REMOTE_COPY_LAG_MS_CONFIG,
                        ConfigDef.Type.LONG,
                        0L,
                        atLeast(-1),
                        Importance.MEDIUM,
                        TopicConfig.REMOTE_COPY_LAG_MS_DOC)
                .define(
                        TopicConfig.REMOTE_LOG_COPY_DISABLE_CONFIG,
                        ConfigDef.Type.BOOLEAN,
                        false,
                        Importance.MEDIUM,
                        TopicConfig.REMOTE_LOG_COPY_DISABLE_DOC)
                .define(
                        TopicConfig.REMOTE_LOG_DELETE_ON_DISABLE_CONFIG,
                        ConfigDef.Type.BOOLEAN,
                        false,
                        Importance.MEDIUM,
                        TopicConfig.REMOTE_LOG_DELETE_ON_DISABLE_DOC)
                .define(
                        TopicConfig.REMOTE_LOG_STORAGE_ENABLE_CONFIG,
                        ConfigDef.Type.BOOLEAN,
                        false,
                        Importance.MEDIUM,
                        TopicConfig.REMOTE_LOG_STORAGE_ENABLE_DOC)
                .define(
                        TopicConfig.RETENTION_BYTES_CONFIG,
                        ConfigDef.Type.LONG,
                        -1L,
                        Importance.MEDIUM,
                        TopicConfig.RETENTION_BYTES_DOC)
                .define(
                        TopicConfig.RETENTION_MS_CONFIG,
                        ConfigDef.Type.LONG,
                        7 * dayMs,
                        atLeast(-1),
                        Importance.MEDIUM,
                        TopicConfig.RETENTION_MS_DOC)
                .define(
                        TopicConfig.SEGMENT_BYTES_CONFIG,
                        ConfigDef.Type.INT,
                        1 << 30,
                        atLeast(1 << 20),
                        Importance.MEDIUM,
                        TopicConfig.SEGMENT_BYTES_DOC)
                .define(
                        TopicConfig.SEGMENT_INDEX_BYTES_CONFIG,
                        ConfigDef.Type.INT,
                        10 << 20,
                        atLeast(4),
                        Importance.MEDIUM,
                        TopicConfig.SEGMENT_INDEX_BYTES_DOC)
                .define(
                        TopicConfig.SEGMENT_JITTER_MS_CONFIG,
                        ConfigDef.Type.LONG,
                        0L,
                        atLeast(0),
                        Importance.MEDIUM,
                        TopicConfig.SEGMENT_JITTER_MS_DOC)
                .define(
                        TopicConfig.SEGMENT_MS_CONFIG,
                        ConfigDef.Type.LONG,
                        7 * dayMs,
                        atLeast(1),
                        Importance.MEDIUM,
                        TopicConfig.SEGMENT_MS_DOC)
                .define(
                        TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG,
                        ConfigDef.Type.BOOLEAN,
                        false,
                        Importance.MEDIUM,
                        TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_DOC)
                .define(
                        LEADER_THROTTLED,
                        ConfigDef.Type.LIST,
                        List.of(),
                        new ThrottledReplicas(),
                        Importance.MEDIUM,
                        "Replicas whose traffic is throttled on the leader's side.")
                .define(
                        FOLLOWER_THROTTLED,
                        ConfigDef.Type.LIST,
                        List.of(),
                        new ThrottledReplicas(),
                        Importance.MEDIUM,
                        "Replicas whose traffic is throttled on the follower's side.")
                .defineInternal(INTERNAL_SEGMENT_BYTES, ConfigDef.Type.INT, null, Importance.MEDIUM);
    }

    /** {@code *}, or pairs of partition and broker. */
    private static final class ThrottledReplicas implements ConfigDef.Validator {
        @Override
        public void ensureValid(String name, Object value) {
            List<?> given = (List<?>) value;
            boolean all = given.size() == 1 && "*".equals(given.get(0));
            if (!all
                    && !given.stream()
                            .allMatch(pair ->
                                    PARTITION_AND_BROKER.matcher((String) pair).matches())) {
                throw new ConfigException(name, value, "must be * or a list of partition:broker pairs");
            }
        }

        @Override
        public String toString() {
            return "[partitionId]:[brokerId],[partitionId]:[brokerId],...";
        }
    }
}
