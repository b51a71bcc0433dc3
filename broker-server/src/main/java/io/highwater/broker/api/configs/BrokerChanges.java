package io.highwater.broker.api.configs;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.DynamicSettings;
import io.highwater.broker.config.InvalidSettingException;
import io.highwater.broker.config.Setting;
import io.highwater.broker.config.SettingTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.protocol.Errors;

/** Checks what would become of a broker's settings before the controller is asked to store the change. */
final class BrokerChanges {
    private final BrokerConfig now;

    BrokerChanges(BrokerConfig now) {
        this.now = now;
    }

    /** The entries that a resource would have after the operations. */
    static Map<String, String> apply(Map<String, String> stored, Collection<AlterableConfig> operations)
            throws RefusedException {
        Map<String, String> entries = new HashMap<>(stored);
        for (AlterableConfig operation : operations) {
            String name = operation.name();
            switch (OpType.forId(operation.configOperation())) {
                case SET -> entries.put(name, operation.value());
                case DELETE -> entries.remove(name);
                case APPEND -> entries.put(name, appended(listOf(name, entries, "append"), operation.value()));
                case SUBTRACT -> entries.put(name, without(listOf(name, entries, "subtract"), operation.value()));
            }
        }
        return entries;
    }

    /**
     * Checks the entries that this broker's resource, or the cluster's default, would have.
     *
     * @param ofOneBroker whether it is this broker's resource
     */
    void check(Map<String, String> entries, boolean ofOneBroker) throws RefusedException {
        refuseAny(
                entries.keySet().stream().filter(DynamicSettings::isFixed).toList(),
                "Cannot update these configs dynamically");
        refuseAny(
                entries.keySet().stream()
                        .filter(SslConfigs.RECONFIGURABLE_CONFIGS::contains)
                        .toList(),
                "These security configs can be dynamically updated only per-listener using the listener prefix");
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            Setting setting = BrokerSources.setting(entry.getKey());
            if (setting != null) {
                parse(setting, entry.getValue());
            }
        }
        if (!ofOneBroker) {
            refuseAny(
                    entries.keySet().stream()
                            .filter(DynamicSettings::isPerBroker)
                            .toList(),
                    "Cannot update these configs at default cluster level, broker id must be specified");
        }
        try {
            Objects.requireNonNull(
                    ofOneBroker
                            ? now.withDynamic(now.clusterDefaults(), entries)
                            : now.withDynamic(entries, now.ofThisBroker()));
        } catch (InvalidSettingException e) {
            throw new RefusedException(Errors.INVALID_REQUEST, e.getMessage());
        }
    }

    private static void parse(Setting setting, String value) throws RefusedException {
        try {
            Objects.requireNonNullElse(setting.parse(value), "");
        } catch (InvalidSettingException e) {
            throw new RefusedException(Errors.INVALID_REQUEST, "Invalid value: " + e.getMessage());
        }
    }

    private static void refuseAny(Collection<String> names, String why) throws RefusedException {
        if (!names.isEmpty()) {
            throw new RefusedException(Errors.INVALID_REQUEST, why + ": " + new TreeSet<>(names));
        }
    }

    private static List<String> listOf(String name, Map<String, String> entries, String operation)
            throws RefusedException {
        Setting setting = SettingTable.BROKER.find(name);
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

    private static String appended(List<String> before, String values) {
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
