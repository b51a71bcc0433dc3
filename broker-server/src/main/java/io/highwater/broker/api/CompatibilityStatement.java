package io.highwater.broker.api;

import io.highwater.wire.api.ApiSupport;
import io.highwater.wire.api.ListenerRole;
import io.highwater.wire.api.VersionRange;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.utils.internals.AppInfoParser;

/**
 * Says in Markdown which APIs are answered in which versions, beside those that the Kafka library of this build knows. Reads the version
 * table; that every line of it has a handler in each node is what {@code RegisteredHandlersTest} is for.
 */
public final class CompatibilityStatement {
    private final StringBuilder text = new StringBuilder();

    private CompatibilityStatement() {}

    /** The statement about everything that this build can answer. */
    public static String markdown() {
        CompatibilityStatement statement = new CompatibilityStatement();
        statement
                .text
                .append("# Compatibility\n\n"
                        + "Written from the code: the versions that ApiVersions tells clients, beside those of"
                        + " Kafka ")
                .append(AppInfoParser.getVersion())
                .append(".\n");
        statement.listener("Listeners for clients and brokers", ListenerRole.BROKER, ListenerType.BROKER);
        statement.listener("Listeners for controllers", ListenerRole.CONTROLLER, ListenerType.CONTROLLER);
        return statement.text.toString();
    }

    private void listener(String title, ListenerRole role, ListenerType type) {
        ApiSupport support = ApiSupport.of(role, ApiSupport.known(role));
        text.append("\n## ").append(title).append("\n\n| API | key | versions | Kafka |\n| --- | ---: | --- | --- |\n");
        for (ApiKeys api : sorted(support.apis())) {
            VersionRange range = support.versions(api);
            row(api, range == null ? "" : versions(range.min(), range.max()));
        }
        List<String> missing = sorted(ApiKeys.apisForListener(type)).stream()
                .filter(api -> support.versions(api) == null)
                .map(api -> api.name)
                .toList();
        if (!missing.isEmpty()) {
            text.append("\nNot answered, and not advertised: ")
                    .append(String.join(", ", missing))
                    .append(".\n");
        }
    }

    private void row(ApiKeys api, String ours) {
        text.append("| ")
                .append(api.name)
                .append(" | ")
                .append(api.id)
                .append(" | ")
                .append(ours)
                .append(" | ")
                .append(versions(api.oldestVersion(), api.latestVersion(false)))
                .append(" |\n");
    }

    private static String versions(short min, short max) {
        return min == max ? String.valueOf(min) : min + "-" + max;
    }

    private static List<ApiKeys> sorted(Set<ApiKeys> apis) {
        return apis.stream()
                .sorted(Comparator.comparingInt((ApiKeys api) -> api.id))
                .toList();
    }
}
