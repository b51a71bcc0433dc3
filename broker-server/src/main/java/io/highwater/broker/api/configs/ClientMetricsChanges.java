package io.highwater.broker.api.configs;

import io.highwater.broker.config.Setting;
import io.highwater.broker.config.SettingTable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.protocol.Errors;

/** Checks what would become of the settings of a client metrics subscription. */
final class ClientMetricsChanges {
    private static final int SHORTEST_INTERVAL_MS = 100;
    private static final int LONGEST_INTERVAL_MS = 3_600_000;
    private static final Set<String> CLIENT_PROPERTIES = Set.of(
            "client_instance_id",
            "client_id",
            "client_software_name",
            "client_software_version",
            "client_source_address",
            "client_source_port");

    private ClientMetricsChanges() {}

    static void check(String subscription, Map<String, String> entries) throws RefusedException {
        if (subscription.isEmpty()) {
            throw new RefusedException(Errors.INVALID_REQUEST, "Subscription name can't be empty");
        }
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            Setting setting = SettingTable.CLIENT_METRICS.find(entry.getKey());
            if (setting == null) {
                throw new RefusedException(
                        Errors.INVALID_REQUEST, "Unknown client metrics configuration: " + entry.getKey());
            }
            Object value = GroupChanges.parse(setting, entry.getValue());
            if (value instanceof Integer interval) {
                requireInterval(interval);
            } else if (setting.name().equals("match") && value instanceof List<?> patterns) {
                for (Object pattern : patterns) {
                    requirePattern(String.valueOf(pattern));
                }
            }
        }
    }

    private static void requireInterval(int intervalMs) throws RefusedException {
        if (intervalMs < SHORTEST_INTERVAL_MS || intervalMs > LONGEST_INTERVAL_MS) {
            throw new RefusedException(
                    Errors.INVALID_REQUEST,
                    "Invalid value " + intervalMs + " for interval.ms, interval must be between " + SHORTEST_INTERVAL_MS
                            + " and " + LONGEST_INTERVAL_MS + " (1 hour)");
        }
    }

    /** {@code client property=regular expression}. */
    private static void requirePattern(String pattern) throws RefusedException {
        String[] propertyAndExpression = pattern.split("=", -1);
        boolean fine = propertyAndExpression.length == 2 && CLIENT_PROPERTIES.contains(propertyAndExpression[0].trim());
        try {
            fine = fine && Pattern.compile(propertyAndExpression[1].trim()) != null;
        } catch (PatternSyntaxException e) {
            fine = false;
        }
        if (!fine) {
            throw new RefusedException(Errors.INVALID_CONFIG, "Illegal client matching pattern: " + pattern);
        }
    }
}
