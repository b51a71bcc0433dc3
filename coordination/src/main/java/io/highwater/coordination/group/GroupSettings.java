package io.highwater.coordination.group;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.jspecify.annotations.Nullable;

/**
 * The broker's settings as the coordinator library wants them. The library reads most of them once, when it is built, and the few that
 * Kafka allows to change live each time it needs them: those follow {@link #replace}. Any thread.
 */
final class GroupSettings {
    private static final ConfigDef DEFINITION =
            Utils.mergeConfigs(List.of(GroupCoordinatorConfig.CONFIG_DEF, ShareGroupConfig.CONFIG_DEF));

    private final LiveConfig config;
    private final GroupCoordinatorConfig coordinator;
    private final ShareGroupConfig shareGroups;

    GroupSettings(Map<String, String> settings) {
        this.config = new LiveConfig(settings);
        this.coordinator = new GroupCoordinatorConfig(config);
        this.shareGroups = new ShareGroupConfig(config);
    }

    GroupCoordinatorConfig coordinator() {
        return coordinator;
    }

    ShareGroupConfig shareGroups() {
        return shareGroups;
    }

    void replace(Map<String, String> settings) {
        config.replace(settings);
    }

    /** One parsed state. */
    private static class Parsed extends AbstractConfig {
        Parsed(Map<String, String> settings) {
            super(DEFINITION, settings, false);
        }

        Object value(String key) {
            return super.get(key);
        }
    }

    /** Answers from the newest state. */
    private static final class LiveConfig extends Parsed {
        private volatile @Nullable Parsed newest;

        LiveConfig(Map<String, String> settings) {
            super(settings);
        }

        void replace(Map<String, String> settings) {
            newest = new Parsed(settings);
        }

        @Override
        protected Object get(String key) {
            Parsed now = newest;
            return now == null ? value(key) : now.value(key);
        }
    }
}
