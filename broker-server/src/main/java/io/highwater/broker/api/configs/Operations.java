package io.highwater.broker.api.configs;

import io.highwater.broker.config.Setting;
import io.highwater.broker.config.SettingTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.protocol.Errors;

/** What the entries of a resource become by setting, deleting, appending and subtracting. */
final class Operations {
    private final SettingTable table;
    private final Map<String, String> entries;

    private Operations(SettingTable table, Map<String, String> stored) {
        this.table = table;
        this.entries = new HashMap<>(stored);
    }

    /**
     * The entries afterwards.
     *
     * @param table which settings are lists
     * @param stored the entries before
     */
    static Map<String, String> apply(
            SettingTable table, Map<String, String> stored, Collection<AlterableConfig> operations)
            throws RefusedException {
        Operations all = new Operations(table, stored);
        for (AlterableConfig operation : operations) {
            all.apply(operation);
        }
        return all.entries;
    }

    private void apply(AlterableConfig operation) throws RefusedException {
        String name = operation.name();
        switch (OpType.forId(operation.configOperation())) {
            case SET -> entries.put(name, operation.value());
            case DELETE -> entries.remove(name);
            case APPEND -> entries.put(name, with(listOf(name, "append"), operation.value()));
            case SUBTRACT -> entries.put(name, without(listOf(name, "subtract"), operation.value()));
        }
    }

    private List<String> listOf(String name, String operation) throws RefusedException {
        Setting setting = table.find(name);
        if (setting == null) {
            throw new RefusedException(Errors.INVALID_CONFIG, "Unknown config name: " + name);
        }
        if (setting.type() != ConfigDef.Type.LIST) {
            throw new RefusedException(
                    Errors.INVALID_CONFIG, "Config value " + operation + " is not allowed for config key: " + name);
        }
        String stored = entries.get(name);
        String text = stored != null ? stored : Objects.requireNonNullElse(setting.defaultText(), "");
        return text.isEmpty() ? List.of() : Arrays.asList(text.split(",", -1));
    }

    private static String with(List<String> before, String values) {
        List<String> after = new ArrayList<>(before);
        for (String value : values.split(",", -1)) {
            if (!after.contains(value)) {
                after.add(value);
            }
        }
        return String.join(",", after);
    }

    private static String without(List<String> before, String values) {
        List<String> after = new ArrayList<>(before);
        Arrays.stream(values.split(",", -1)).forEach(after::remove);
        return String.join(",", after);
    }
}
