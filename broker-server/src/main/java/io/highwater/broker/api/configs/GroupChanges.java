package io.highwater.broker.api.configs;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.InvalidSettingException;
import io.highwater.broker.config.Setting;
import io.highwater.broker.config.SettingTable;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Checks what would become of a group's settings: they must be known, and keep within what the broker's settings allow a group. */
final class GroupChanges {
    private static final List<String> KINDS = List.of("consumer", "share", "streams");
    private final BrokerConfig broker;

    GroupChanges(BrokerConfig broker) {
        this.broker = broker;
    }

    void check(Map<String, String> entries) throws RefusedException {
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            Setting setting = SettingTable.GROUP.find(entry.getKey());
            if (setting == null) {
                throw new RefusedException(Errors.INVALID_CONFIG, "Unknown group config name: " + entry.getKey());
            }
            Object value = parse(setting, entry.getValue());
            if (value instanceof Number number) {
                requireInBounds(setting, number.longValue());
            }
        }
        for (String kind : KINDS) {
            requireMore(entries, kind + ".session.timeout.ms", kind + ".heartbeat.interval.ms");
        }
    }

    /** The parsed value. */
    static @Nullable Object parse(Setting setting, String value) throws RefusedException {
        try {
            return setting.parse(value);
        } catch (InvalidSettingException e) {
            throw new RefusedException(Errors.INVALID_CONFIG, "Invalid value: " + e.getMessage());
        }
    }

    private void requireInBounds(Setting setting, long value) throws RefusedException {
        int dot = setting.name().indexOf('.');
        String kind = "group." + setting.name().substring(0, dot);
        String what = setting.name().substring(dot + 1);
        long least = bound(kind + ".min." + what, Long.MIN_VALUE);
        long most = bound(kind + ".max." + what.replaceFirst("^num\\.", ""), Long.MAX_VALUE);
        if (value < least || value > most) {
            throw new RefusedException(
                    Errors.INVALID_CONFIG,
                    setting.name() + " must be in the range "
                            + (least == Long.MIN_VALUE ? 0 : least) + " to "
                            + (most == Long.MAX_VALUE ? Integer.MAX_VALUE : most) + " inclusive.");
        }
    }

    private long bound(String name, long none) {
        return SettingTable.BROKER.find(name) == null ? none : broker.getLong(name);
    }

    private void requireMore(Map<String, String> entries, String more, String less) throws RefusedException {
        if (entries.containsKey(more) || entries.containsKey(less)) {
            long larger = effective(entries, more);
            long smaller = effective(entries, less);
            if (larger <= smaller) {
                throw new RefusedException(
                        Errors.INVALID_CONFIG, more + "=" + larger + " must be greater than " + less + "=" + smaller);
            }
        }
    }

    private long effective(Map<String, String> entries, String name) {
        String own = entries.get(name);
        return own != null ? Long.parseLong(own.trim()) : broker.getLong("group." + name);
    }
}
