package io.highwater.broker.boot;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.Setting;
import io.highwater.broker.config.SettingTable;
import java.util.HashMap;
import java.util.Map;

/** The settings of group coordination that change while a broker runs. */
final class GroupSettings {
    private GroupSettings() {}

    /** All of them as they are now, as text; also those that went back to their default. */
    static Map<String, String> live(BrokerConfig config) {
        Map<String, String> live = new HashMap<>();
        for (Setting setting : SettingTable.BROKER.all()) {
            if (setting.name().startsWith("group.") && setting.change() != Setting.Change.FIXED) {
                live.put(setting.name(), String.valueOf(config.value(setting.name())));
            }
        }
        return live;
    }
}
