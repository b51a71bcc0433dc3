package io.highwater.broker.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.controlplane.ControlPlane;
import java.util.List;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.junit.jupiter.api.Test;

class SettingTableTest {
    @Test
    void theTopicTableIsKafkasOwn() {
        assertThat(SettingTable.TOPIC.all())
                .extracting(Setting::name)
                .containsExactlyInAnyOrderElementsOf(
                        ControlPlane.topicConfigDefinitions().keySet());
        ControlPlane.topicConfigDefinitions().values().forEach(kafka -> {
            Setting ours = SettingTable.TOPIC.get(kafka.name());
            assertThat(ConfigEntry.ConfigType.valueOf(ours.type().name()))
                    .as(kafka.name())
                    .isEqualTo(kafka.type());
            assertThat(ours.defaultText()).as(kafka.name()).isEqualTo(kafka.defaultValue());
            assertThat(ours.fallbacks())
                    .extracting(Setting.Fallback::name)
                    .as(kafka.name())
                    .containsExactlyElementsOf(kafka.brokerSynonyms().stream()
                            .map(synonym -> synonym.brokerConfig())
                            .toList());
        });
    }

    @Test
    void everyFallbackOfATopicOrGroupIsASettingOfTheBroker() {
        assertThat(List.of(SettingTable.TOPIC, SettingTable.GROUP))
                .flatExtracting(SettingTable::all)
                .flatExtracting(Setting::fallbacks)
                .extracting(Setting.Fallback::name)
                .isSubsetOf(
                        SettingTable.BROKER.all().stream().map(Setting::name).toList());
    }

    @Test
    void everyDefaultIsAllowed() {
        assertThat(SettingTable.BROKER.all()).allSatisfy(setting -> {
            if (setting.defaultText() != null && !setting.name().equals("node.id")) {
                setting.parse(setting.defaultText());
            }
        });
    }
}
