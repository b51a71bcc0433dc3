package io.highwater.broker.api.configs;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.InvalidSettingException;
import io.highwater.broker.config.Setting;
import io.highwater.broker.config.SettingTable;
import io.highwater.controlplane.ConfigDefinition;
import io.highwater.controlplane.ControlPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.jspecify.annotations.Nullable;

/** Writes the settings of one resource of each kind, as Kafka shows them. */
final class SettingsView {
    private final BrokerConfig broker;
    private final BrokerSources sources;
    private final EntryWriter entries;

    SettingsView(BrokerConfig broker, EntryWriter entries) {
        this.broker = broker;
        this.sources = new BrokerSources(broker);
        this.entries = entries;
    }

    void topic(Map<String, String> own, boolean documentation) {
        Map<String, String> effective = broker.topicConfig(own);
        for (Setting setting : SettingTable.TOPIC.all()) {
            String name = setting.name();
            boolean shown = !setting.internal() || own.containsKey(name);
            if (shown && entries.wants(name)) {
                ConfigDefinition definition =
                        ControlPlane.topicConfigDefinitions().get(name);
                add(
                        setting,
                        effective.get(name),
                        documentation && definition != null ? definition.documentation() : null,
                        own.get(name),
                        ConfigSource.TOPIC_CONFIG,
                        setting.fallbacks().isEmpty()
                                ? List.of()
                                : sources.of(setting.fallbacks().get(0).name(), false));
            }
        }
    }

    void group(Map<String, String> own) {
        for (Setting setting : SettingTable.GROUP.all()) {
            String name = setting.name();
            boolean shown = !setting.internal()
                    || own.containsKey(name)
                    || setting.fallbacks().stream().anyMatch(fallback -> broker.isSet(fallback.name()));
            if (shown && entries.wants(name)) {
                add(setting, groupValue(setting, own), null, own.get(name), ConfigSource.GROUP_CONFIG, below(setting));
            }
        }
    }

    void clientMetrics(Map<String, String> own) {
        for (Setting setting : SettingTable.CLIENT_METRICS.all()) {
            if (entries.wants(setting.name())) {
                String value = own.getOrDefault(setting.name(), setting.defaultText());
                add(setting, value, null, own.get(setting.name()), ConfigSource.CLIENT_METRICS_CONFIG, List.of());
            }
        }
    }

    /** Everything of this broker: all settings that are not internal, and whatever else is set. */
    void broker() {
        TreeSet<String> names = new TreeSet<>(broker.raw().keySet());
        SettingTable.BROKER.all().stream()
                .filter(setting -> !setting.internal() && setting.change() != Setting.Change.RATE)
                .forEach(setting -> names.add(setting.name()));
        names.stream().filter(entries::wants).forEach(this::brokerSetting);
    }

    /** Only what is set for all brokers. */
    void clusterDefaults() {
        broker.clusterDefaults().forEach((name, value) -> {
            if (entries.wants(name)) {
                Setting setting = BrokerSources.setting(name);
                boolean sensitive = setting == null || setting.sensitive();
                entries.add(
                        name,
                        typeOf(setting),
                        value,
                        isReadOnly(name),
                        sensitive,
                        null,
                        List.of(BrokerSources.synonym(
                                name, sensitive ? null : value, ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG)));
            }
        });
    }

    private void brokerSetting(String name) {
        Setting setting = BrokerSources.setting(name);
        boolean sensitive = setting == null || setting.sensitive();
        Setting known = SettingTable.BROKER.find(name);
        String value = known == null ? broker.raw().get(name) : textOf(broker.value(name), known);
        entries.add(name, typeOf(setting), value, isReadOnly(name), sensitive, null, sources.of(name, sensitive));
    }

    private static @Nullable String textOf(@Nullable Object value, Setting setting) {
        return value instanceof String text ? text : ConfigDef.convertToString(value, setting.type());
    }

    private static boolean isReadOnly(String name) {
        Setting setting = SettingTable.BROKER.find(name);
        return setting == null || setting.change() == Setting.Change.FIXED;
    }

    private static ConfigDef.@Nullable Type typeOf(@Nullable Setting setting) {
        return setting == null ? null : setting.type();
    }

    private List<DescribeConfigsSynonym> below(Setting setting) {
        if (!setting.fallbacks().isEmpty()) {
            return sources.of(setting.fallbacks().get(0).name(), false);
        }
        String defaultText = setting.defaultText();
        return defaultText == null
                ? List.of()
                : List.of(BrokerSources.synonym(setting.name(), defaultText, ConfigSource.DEFAULT_CONFIG));
    }

    private @Nullable String groupValue(Setting setting, Map<String, String> own) {
        String value = own.get(setting.name());
        if (value != null) {
            return value;
        }
        for (Setting.Fallback fallback : setting.fallbacks()) {
            Object brokers = broker.value(fallback.name());
            boolean firstOfSeveral =
                    brokers instanceof List<?> list && !list.isEmpty() && setting.type() != ConfigDef.Type.LIST;
            if (brokers != null) {
                return firstOfSeveral
                        ? String.valueOf(((List<?>) brokers).get(0))
                        : ConfigDef.convertToString(
                                brokers,
                                SettingTable.BROKER.get(fallback.name()).type());
            }
        }
        return setting.defaultText();
    }

    /** Adds a setting of something that is not a broker: its own value, if any, stands over what it falls back to. */
    private void add(
            Setting setting,
            @Nullable String value,
            @Nullable String documentation,
            @Nullable String own,
            ConfigSource ownSource,
            List<DescribeConfigsSynonym> below) {
        String shown = value == null ? null : canonical(setting, value);
        List<DescribeConfigsSynonym> synonyms = new ArrayList<>();
        if (own != null) {
            synonyms.add(BrokerSources.synonym(setting.name(), shown, ownSource));
        }
        synonyms.addAll(below);
        entries.add(setting.name(), setting.type(), shown, false, setting.sensitive(), documentation, synonyms);
    }

    /** As the parsed value is written; what another version stored and this one cannot parse is shown as it is. */
    private static @Nullable String canonical(Setting setting, String text) {
        try {
            return ConfigDef.convertToString(setting.parse(text), setting.type());
        } catch (InvalidSettingException e) {
            return text;
        }
    }
}
