package io.highwater.storage.log;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one topic, read once and then only looked at. Immutable; a changed setting makes a new object.
 *
 * @param raw the settings as they were given, by Kafka's names; defaults are not filled in
 * @param segment size and age of a segment and its indexes
 * @param retention what is deleted, and when
 * @param compaction what the cleaner may do
 * @param messages what a producer may send, and in which form it is kept
 * @param flush when appends are forced to disk
 * @param replication what leader and controller make of the topic
 * @param tiering remote storage; kept so that it can be shown, without effect here
 */
public record LogSettings(
        Map<String, String> raw,
        Segments segment,
        Retention retention,
        Compaction compaction,
        Messages messages,
        Flush flush,
        Replication replication,
        Tiering tiering) {

    /**
     * Size and age of a segment.
     *
     * @param bytes a segment that would grow above this is rolled ({@code internal.segment.bytes} if set, for tests)
     * @param ms a segment older than this is rolled
     * @param jitterMs up to this much is taken off {@code ms}, so that partitions do not all roll at once
     * @param indexBytes space for each index file
     * @param indexIntervalBytes bytes of log between two index entries
     * @param preallocate whether a new segment takes its whole size at once
     */
    public record Segments(
            int bytes, long ms, long jitterMs, int indexBytes, int indexIntervalBytes, boolean preallocate) {
        /** A random part of {@code jitterMs}, at most {@code ms}; drawn once for each segment. */
        public long drawJitterMs() {
            long bound = Math.min(jitterMs, ms);
            return bound <= 0 ? 0 : ThreadLocalRandom.current().nextLong(bound);
        }
    }

    /**
     * What is deleted, and when.
     *
     * @param delete whether {@code cleanup.policy} contains delete; without it only what lies before the log start goes
     * @param ms age of a record that may go; -1 is for ever
     * @param bytes size the log may keep; -1 is unlimited
     * @param fileDeleteDelayMs how long a dropped file stays on disk under another name
     */
    public record Retention(boolean delete, long ms, long bytes, long fileDeleteDelayMs) {}

    /**
     * What the cleaner may do.
     *
     * @param compact whether {@code cleanup.policy} contains compact; then every record needs a key
     * @param tombstoneMs how long a delete marker is kept
     * @param minLagMs no record younger than this is compacted
     * @param maxLagMs a record older than this makes its log due
     * @param minDirtyRatio dirty part of a log, 0 to 1, from which it is worth cleaning
     */
    public record Compaction(boolean compact, long tombstoneMs, long minLagMs, long maxLagMs, double minDirtyRatio) {}

    /**
     * What a producer may send, and in which form it is kept.
     *
     * @param maxBytes largest batch, in bytes as sent and as kept
     * @param maxDecompressedBytes largest single record of a compressed batch, inflated
     * @param compression what batches are kept in; null is as the producer sent them
     * @param timestampType the producer's time or the broker's
     * @param timestampBeforeMaxMs how far in the past a record may be
     * @param timestampAfterMaxMs how far in the future a record may be
     * @param deadLetterGroups whether share groups may use this topic for what nobody could process
     */
    public record Messages(
            int maxBytes,
            int maxDecompressedBytes,
            @Nullable Compression compression,
            TimestampType timestampType,
            long timestampBeforeMaxMs,
            long timestampAfterMaxMs,
            boolean deadLetterGroups) {}

    /**
     * When appends are forced to disk, beside what happens at roll and stop.
     *
     * @param messages after this many unflushed records
     * @param ms after this long
     */
    public record Flush(long messages, long ms) {}

    /**
     * What leader and controller make of the topic.
     *
     * @param minInSyncReplicas fewer refuse acks=all
     * @param uncleanLeaderElection whether a replica that may lack records can lead
     * @param leaderThrottled {@code partition:broker} pairs whose leader side is slowed, or {@code *}
     * @param followerThrottled {@code partition:broker} pairs whose follower side is slowed, or {@code *}
     */
    public record Replication(
            int minInSyncReplicas,
            boolean uncleanLeaderElection,
            List<String> leaderThrottled,
            List<String> followerThrottled) {}

    /**
     * Remote storage.
     *
     * @param enabled whether old segments go to remote storage
     * @param localBytes size kept on this disk; -2 is {@code retention.bytes}
     * @param localMs age kept on this disk; -2 is {@code retention.ms}
     * @param copyDisabled whether copying is paused
     * @param deleteOnDisable whether remote data goes when remote storage is switched off
     * @param copyLagBytes copy when this much has gathered; -1 is the local limit
     * @param copyLagMs copy when this old; -1 is the local limit
     */
    public record Tiering(
            boolean enabled,
            long localBytes,
            long localMs,
            boolean copyDisabled,
            boolean deleteOnDisable,
            long copyLagBytes,
            long copyLagMs) {}

    /**
     * Reads the settings of a topic; what is missing takes Kafka's default, unknown names are kept in {@link #raw} alone.
     *
     * @throws org.apache.kafka.common.config.ConfigException naming the setting, its value and what is allowed
     */
    public static LogSettings of(Map<String, String> topicConfig) {
        Parsed p = new Parsed(LogSettingsDefinition.DEFINITION.parse(topicConfig));
        List<String> policies = p.list(TopicConfig.CLEANUP_POLICY_CONFIG).stream()
                .map(policy -> policy.toLowerCase(Locale.ROOT))
                .toList();
        return new LogSettings(
                Map.copyOf(topicConfig),
                segments(p),
                new Retention(
                        policies.contains(TopicConfig.CLEANUP_POLICY_DELETE),
                        p.number(TopicConfig.RETENTION_MS_CONFIG),
                        p.number(TopicConfig.RETENTION_BYTES_CONFIG),
                        p.number(TopicConfig.FILE_DELETE_DELAY_MS_CONFIG)),
                new Compaction(
                        policies.contains(TopicConfig.CLEANUP_POLICY_COMPACT),
                        p.number(TopicConfig.DELETE_RETENTION_MS_CONFIG),
                        p.number(TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG),
                        p.number(TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG),
                        p.ratio(TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG)),
                messages(p),
                new Flush(p.number(TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG), p.number(TopicConfig.FLUSH_MS_CONFIG)),
                new Replication(
                        p.integer(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG),
                        p.flag(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG),
                        p.list(LogSettingsDefinition.LEADER_THROTTLED),
                        p.list(LogSettingsDefinition.FOLLOWER_THROTTLED)),
                tiering(p));
    }

    /** Kafka's names, types, defaults and allowed values of all topic settings; a copy, free to change. */
    public static ConfigDef definition() {
        return new ConfigDef(LogSettingsDefinition.DEFINITION);
    }

    /** Age at which a segment is rolled: a compacted topic may not keep a record uncleaned longer than its maximal lag. */
    public long rollMs() {
        return compaction.compact() && compaction.maxLagMs() > 0
                ? Math.min(compaction.maxLagMs(), segment.ms())
                : segment.ms();
    }

    private static Segments segments(Parsed p) {
        Integer forTests = p.optionalInteger(LogSettingsDefinition.INTERNAL_SEGMENT_BYTES);
        return new Segments(
                forTests != null ? forTests : p.integer(TopicConfig.SEGMENT_BYTES_CONFIG),
                p.number(TopicConfig.SEGMENT_MS_CONFIG),
                p.number(TopicConfig.SEGMENT_JITTER_MS_CONFIG),
                p.integer(TopicConfig.SEGMENT_INDEX_BYTES_CONFIG),
                p.integer(TopicConfig.INDEX_INTERVAL_BYTES_CONFIG),
                p.flag(TopicConfig.PREALLOCATE_CONFIG));
    }

    private static Messages messages(Parsed p) {
        return new Messages(
                p.integer(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                p.integer(TopicConfig.MAX_DECOMPRESSED_MESSAGE_BYTES_CONFIG),
                compression(p),
                TimestampType.forName(p.text(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG)),
                p.number(TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG),
                p.number(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG),
                p.flag(TopicConfig.ERRORS_DEADLETTERQUEUE_GROUP_ENABLE_CONFIG));
    }

    private static @Nullable Compression compression(Parsed p) {
        return switch (p.text(TopicConfig.COMPRESSION_TYPE_CONFIG)) {
            case "producer" -> null;
            case "uncompressed" -> Compression.NONE;
            case "gzip" ->
                Compression.gzip()
                        .level(p.integer(TopicConfig.COMPRESSION_GZIP_LEVEL_CONFIG))
                        .build();
            case "snappy" -> Compression.snappy().build();
            case "lz4" ->
                Compression.lz4()
                        .level(p.integer(TopicConfig.COMPRESSION_LZ4_LEVEL_CONFIG))
                        .build();
            case "zstd" ->
                Compression.zstd()
                        .level(p.integer(TopicConfig.COMPRESSION_ZSTD_LEVEL_CONFIG))
                        .build();
            default -> throw new IllegalStateException("the definition let an unknown compression.type pass");
        };
    }

    private static Tiering tiering(Parsed p) {
        return new Tiering(
                p.flag(TopicConfig.REMOTE_LOG_STORAGE_ENABLE_CONFIG),
                p.number(TopicConfig.LOCAL_LOG_RETENTION_BYTES_CONFIG),
                p.number(TopicConfig.LOCAL_LOG_RETENTION_MS_CONFIG),
                p.flag(TopicConfig.REMOTE_LOG_COPY_DISABLE_CONFIG),
                p.flag(TopicConfig.REMOTE_LOG_DELETE_ON_DISABLE_CONFIG),
                p.number(TopicConfig.REMOTE_COPY_LAG_BYTES_CONFIG),
                p.number(TopicConfig.REMOTE_COPY_LAG_MS_CONFIG));
    }

    /** Typed access to what the definition parsed; every name asked for is in the definition. */
    private record Parsed(Map<String, Object> values) {
        int integer(String name) {
            return (Integer) get(name);
        }

        @Nullable
        Integer optionalInteger(String name) {
            return (Integer) values.get(name);
        }

        long number(String name) {
            return (Long) get(name);
        }

        double ratio(String name) {
            return (Double) get(name);
        }

        boolean flag(String name) {
            return (Boolean) get(name);
        }

        String text(String name) {
            return (String) get(name);
        }

        List<String> list(String name) {
            return ((List<?>) get(name)).stream().map(String.class::cast).toList();
        }

        private Object get(String name) {
            Object value = values.get(name);
            if (value == null) {
                throw new IllegalStateException("no value for topic setting " + name);
            }
            return value;
        }
    }
}
