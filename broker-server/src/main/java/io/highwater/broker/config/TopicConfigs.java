package io.highwater.broker.config;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/** What holds for a topic, from its own settings and the broker's. */
final class TopicConfigs {
    private TopicConfigs() {}

    /** Every topic setting that has a value. */
    static Map<String, String> effective(Map<String, String> topicOverrides, BrokerConfig broker) {
        Map<String, String> all = new LinkedHashMap<>();
        for (Setting setting : SettingTable.TOPIC.all()) {
            String own = topicOverrides.get(setting.name());
            String value = own != null ? own : fromBroker(setting, broker);
            if (value != null) {
                all.put(setting.name(), value);
            }
        }
        return all;
    }

    /** What the broker's settings say for a topic that does not say it itself. */
    static @Nullable String fromBroker(Setting setting, BrokerConfig broker) {
        for (Setting.Fallback fallback : setting.fallbacks()) {
            Object value = broker.value(fallback.name());
            if (value != null) {
                return inUnitOf(setting, fallback, value);
            }
        }
        return setting.defaultText();
    }

    /** A broker's value in the unit of a topic setting; any negative time means for ever. */
    private static @Nullable String inUnitOf(Setting setting, Setting.Fallback fallback, Object value) {
        if (!(value instanceof Number number) || value instanceof Double) {
            return ConfigDef.convertToString(
                    value, SettingTable.BROKER.get(fallback.name()).type());
        }
        long inUnit = Math.multiplyExact(number.longValue(), fallback.factor());
        return Long.toString(setting.name().equals("retention.ms") ? Math.max(inUnit, -1) : inUnit);
    }
}
