package io.highwater.storage.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogSettingsTest {
    @Test
    void knowsEveryTopicSettingOfKafka() {
        assertThat(LogSettings.definition().names()).hasSize(38);
    }

    @Test
    void withoutAnySettingKafkasDefaultsHold() {
        LogSettings settings = LogSettings.of(Map.of());

        assertThat(settings.segment())
                .isEqualTo(new LogSettings.Segments(1073741824, 604800000L, 0, 10485760, 4096, false));
        assertThat(settings.retention()).isEqualTo(new LogSettings.Retention(true, 604800000L, -1, 60000));
        assertThat(settings.compaction())
                .isEqualTo(new LogSettings.Compaction(false, 86400000L, 0, Long.MAX_VALUE, 0.5));
        assertThat(settings.messages())
                .isEqualTo(new LogSettings.Messages(
                        1048588, 2147483639, null, TimestampType.CREATE_TIME, Long.MAX_VALUE, 3600000L, false));
        assertThat(settings.flush()).isEqualTo(new LogSettings.Flush(Long.MAX_VALUE, Long.MAX_VALUE));
        assertThat(settings.replication()).isEqualTo(new LogSettings.Replication(1, false, List.of(), List.of()));
        assertThat(settings.tiering()).isEqualTo(new LogSettings.Tiering(false, -2, -2, false, false, -1, 0));
    }

    @Test
    void readsEverySettingByItsName() {
        LogSettings settings = LogSettings.of(Map.ofEntries(
                Map.entry("cleanup.policy", "compact, delete"),
                Map.entry("segment.bytes", "1048576"),
                Map.entry("segment.ms", "1000"),
                Map.entry("segment.jitter.ms", "10"),
                Map.entry("segment.index.bytes", "1024"),
                Map.entry("index.interval.bytes", "100"),
                Map.entry("preallocate", "true"),
                Map.entry("retention.ms", "-1"),
                Map.entry("retention.bytes", "5"),
                Map.entry("file.delete.delay.ms", "6"),
                Map.entry("delete.retention.ms", "7"),
                Map.entry("min.compaction.lag.ms", "8"),
                Map.entry("max.compaction.lag.ms", "9"),
                Map.entry("min.cleanable.dirty.ratio", "0.25"),
                Map.entry("max.message.bytes", "10"),
                Map.entry("max.decompressed.message.bytes", "11"),
                Map.entry("message.timestamp.type", "LogAppendTime"),
                Map.entry("message.timestamp.before.max.ms", "12"),
                Map.entry("message.timestamp.after.max.ms", "13"),
                Map.entry("errors.deadletterqueue.group.enable", "true"),
                Map.entry("flush.messages", "14"),
                Map.entry("flush.ms", "15"),
                Map.entry("min.insync.replicas", "2"),
                Map.entry("unclean.leader.election.enable", "true"),
                Map.entry("leader.replication.throttled.replicas", "0:1,1:2"),
                Map.entry("follower.replication.throttled.replicas", "*"),
                Map.entry("remote.storage.enable", "true"),
                Map.entry("local.retention.bytes", "16"),
                Map.entry("local.retention.ms", "17"),
                Map.entry("remote.log.copy.disable", "true"),
                Map.entry("remote.log.delete.on.disable", "true"),
                Map.entry("remote.copy.lag.bytes", "18"),
                Map.entry("remote.copy.lag.ms", "19")));

        assertThat(settings.segment()).isEqualTo(new LogSettings.Segments(1048576, 1000, 10, 1024, 100, true));
        assertThat(settings.retention()).isEqualTo(new LogSettings.Retention(true, -1, 5, 6));
        assertThat(settings.compaction()).isEqualTo(new LogSettings.Compaction(true, 7, 8, 9, 0.25));
        assertThat(settings.messages())
                .isEqualTo(new LogSettings.Messages(10, 11, null, TimestampType.LOG_APPEND_TIME, 12, 13, true));
        assertThat(settings.flush()).isEqualTo(new LogSettings.Flush(14, 15));
        assertThat(settings.replication())
                .isEqualTo(new LogSettings.Replication(2, true, List.of("0:1", "1:2"), List.of("*")));
        assertThat(settings.tiering()).isEqualTo(new LogSettings.Tiering(true, 16, 17, true, true, 18, 19));
    }

    @Test
    void keepsWhatItWasGivenAndWhatItDoesNotKnow() {
        Map<String, String> given = Map.of("segment.ms", "1000", "some.future.setting", "x");

        assertThat(LogSettings.of(given).raw()).isEqualTo(given);
    }

    @Test
    void anEmptyCleanupPolicyNeitherDeletesNorCompacts() {
        LogSettings settings = LogSettings.of(Map.of("cleanup.policy", ""));

        assertThat(settings.retention().delete()).isFalse();
        assertThat(settings.compaction().compact()).isFalse();
    }

    @Test
    void testsMaySetATinySegment() {
        assertThat(LogSettings.of(Map.of("internal.segment.bytes", "100"))
                        .segment()
                        .bytes())
                .isEqualTo(100);
    }

    @Test
    void theCodecCarriesItsLevel() {
        assertThat(compression("gzip", "compression.gzip.level", "9"))
                .isEqualTo(Compression.gzip().level(9).build());
        assertThat(compression("lz4", "compression.lz4.level", "17"))
                .isEqualTo(Compression.lz4().level(17).build());
        assertThat(compression("zstd", "compression.zstd.level", "-5"))
                .isEqualTo(Compression.zstd().level(-5).build());
        assertThat(compression("snappy", "compression.zstd.level", "3"))
                .isEqualTo(Compression.snappy().build());
        assertThat(compression("uncompressed", "compression.zstd.level", "3")).isEqualTo(Compression.NONE);
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "segment.bytes, 1048575",
        "segment.ms, 0",
        "segment.index.bytes, 3",
        "index.interval.bytes, -1",
        "flush.messages, 0",
        "retention.ms, -2",
        "local.retention.ms, -3",
        "max.message.bytes, -1",
        "max.message.bytes, many",
        "max.decompressed.message.bytes, 0",
        "max.decompressed.message.bytes, 2147483640",
        "min.cleanable.dirty.ratio, 1.1",
        "min.insync.replicas, 0",
        "cleanup.policy, keep",
        "compression.type, brotli",
        "compression.gzip.level, 0",
        "compression.gzip.level, 10",
        "compression.lz4.level, 18",
        "compression.zstd.level, 23",
        "message.timestamp.type, NoTimestampType",
        "preallocate, maybe",
        "leader.replication.throttled.replicas, 0-1",
    })
    void aWrongValueIsRefusedWithTheNameOfItsSetting(String name, String value) {
        assertThatThrownBy(() -> LogSettings.of(Map.of(name, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(value);
    }

    @Test
    void aCompactedTopicRollsInTimeForItsMaximalLag() {
        Map<String, String> config =
                Map.of("cleanup.policy", "compact", "segment.ms", "1000", "max.compaction.lag.ms", "500");

        assertThat(LogSettings.of(config).rollMs()).isEqualTo(500);
        assertThat(LogSettings.of(Map.of("segment.ms", "1000", "max.compaction.lag.ms", "500"))
                        .rollMs())
                .isEqualTo(1000);
    }

    @Test
    void theJitterStaysBelowItsBoundAndBelowTheAgeOfASegment() {
        LogSettings.Segments segments = LogSettings.of(Map.of("segment.ms", "3", "segment.jitter.ms", "100"))
                .segment();

        for (int i = 0; i < 100; i++) {
            assertThat(segments.drawJitterMs()).isBetween(0L, 2L);
        }
        assertThat(LogSettings.of(Map.of()).segment().drawJitterMs()).isZero();
    }

    private static @Nullable Compression compression(String codec, String levelName, String level) {
        return LogSettings.of(Map.of("compression.type", codec, levelName, level))
                .messages()
                .compression();
    }
}
