package io.highwater.broker.config;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** Fills in <code>${provider:path:key}</code> through Kafka's {@code config.providers}. */
final class Variables {
    private static final String PROVIDERS = "config.providers";

    private Variables() {}

    static Map<String, String> resolve(Map<String, String> settings) {
        if (!settings.containsKey(PROVIDERS) || settings.values().stream().noneMatch(value -> value.contains("${"))) {
            return settings;
        }
        Map<String, String> resolved = new LinkedHashMap<>(settings);
        try {
            resolved.putAll(new AbstractConfig(new ConfigDef(), settings, false).originalsStrings());
        } catch (KafkaException e) {
            throw new InvalidSettingException(PROVIDERS, PROVIDERS + ": " + e.getMessage());
        }
        return resolved;
    }
}
