package io.highwater.broker.api.configs;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.DynamicSettings;
import io.highwater.broker.config.InvalidSettingException;
import io.highwater.broker.config.Setting;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.protocol.Errors;

/** Checks what would become of a broker's settings before the controller is asked to store the change. */
final class BrokerChanges {
    private final BrokerConfig now;

    BrokerChanges(BrokerConfig now) {
        this.now = now;
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
}
