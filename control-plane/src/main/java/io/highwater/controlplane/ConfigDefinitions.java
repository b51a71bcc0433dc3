package io.highwater.controlplane;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.metadata.KafkaConfigSchema;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.apache.kafka.storage.internals.log.LogConfig;

/** Kafka's own table of topic settings, as values of ours. */
final class ConfigDefinitions {
    /** By name, in alphabetical order. Settings that Kafka keeps to itself (prefix {@code internal.}) are among them. */
    static final Map<String, ConfigDefinition> TOPIC = topic();

    private ConfigDefinitions() {}

    private static Map<String, ConfigDefinition> topic() {
        Map<String, ConfigDefinition> all = new TreeMap<>();
        for (ConfigDef.ConfigKey key : LogConfig.configDefCopy().configKeys().values()) {
            all.put(key.name, definition(key));
        }
        return java.util.Collections.unmodifiableMap(all);
    }

    private static ConfigDefinition definition(ConfigDef.ConfigKey key) {
        List<ConfigDefinition.Synonym> synonyms =
                ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS.getOrDefault(key.name, List.of()).stream()
                        .map(synonym -> new ConfigDefinition.Synonym(
                                synonym.name(), value -> synonym.converter().apply(value)))
                        .toList();
        return new ConfigDefinition(
                key.name,
                KafkaConfigSchema.translateConfigType(key.type),
                key.hasDefault() ? ConfigDef.convertToString(key.defaultValue, key.type) : null,
                key.documentation,
                key.type == ConfigDef.Type.PASSWORD,
                synonyms);
    }
}
