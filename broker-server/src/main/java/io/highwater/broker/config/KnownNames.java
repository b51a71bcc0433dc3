package io.highwater.broker.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tells a typing error from a name that is meant for somebody else. */
final class KnownNames {
    /** {@code listener.name.NAME.} or {@code listener.name.NAME.MECHANISM.} before the name of another setting. */
    static final Pattern OF_LISTENER = Pattern.compile("listener\\.name\\.[^.]*\\.(.*)");

    private static final Set<String> OF_PLUGINS = Set.of("super.users", "allow.everyone.if.no.acl.found");
    private static final List<String> PREFIXES_OF_PLUGINS = List.of("config.providers.", "rsm.config.", "rlmm.config.");

    private static final Set<String> GONE = Set.of(
            "auto.include.jmx.reporter",
            "broker.id.generation.enable",
            "control.plane.listener.name",
            "controlled.shutdown.max.retries",
            "controlled.shutdown.retry.backoff.ms",
            "delegation.token.master.key",
            "eligible.leader.replicas.enable",
            "group.coordinator.new.enable",
            "inter.broker.protocol.version",
            "leader.imbalance.per.broker.percentage",
            "log.message.downconversion.enable",
            "log.message.format.version",
            "log.message.timestamp.difference.max.ms",
            "metadata.log.segment.min.bytes",
            "offsets.commit.required.acks",
            "reserved.broker.max.id");
    private static final List<String> GONE_PREFIXES = List.of("zookeeper.", "password.encoder.");

    /** What Kafka's broker reads and ours does not, because it works in another way or has not got that far. */
    private static final Set<String> WITHOUT_EFFECT = Set.of(
            "client.quota.callback.class",
            "kafka.metrics.polling.interval.secs",
            "kafka.metrics.reporters",
            "metric.reporters",
            "metrics.num.samples",
            "metrics.recording.level",
            "metrics.sample.window.ms",
            "num.io.threads",
            "num.network.threads",
            "queued.max.requests",
            "security.providers",
            "telemetry.max.bytes");

    private static final List<String> PREFIXES_WITHOUT_EFFECT =
            List.of("delegation.token.", "log.remote.", "remote.", "sasl.", "ssl.");

    private KnownNames() {}

    /** One sentence about a name that means nothing here. */
    static Optional<String> complaint(String name) {
        if (isGone(name)) {
            return Optional.of(name + " is ignored; Kafka 4 no longer has this setting");
        }
        if (isKnown(name)) {
            return Optional.empty();
        }
        return Optional.of(name + " is ignored; there is no such setting"
                + nearest(name).map(near -> ", did you mean " + near + "?").orElse(""));
    }

    /** Whether it is a setting that exists, but changes nothing. */
    static boolean hasNoEffect(String name) {
        String base = baseName(name);
        return WITHOUT_EFFECT.contains(base)
                || PREFIXES_WITHOUT_EFFECT.stream()
                        .anyMatch(prefix ->
                                base.startsWith(prefix) || (!base.equals(name) && base.contains("." + prefix)));
    }

    /** The name without the part that narrows it to one listener. */
    static String baseName(String name) {
        Matcher matcher = OF_LISTENER.matcher(name);
        return matcher.matches() ? matcher.group(1) : name;
    }

    private static boolean isGone(String name) {
        return GONE.contains(name) || GONE_PREFIXES.stream().anyMatch(name::startsWith);
    }

    private static boolean isKnown(String name) {
        String base = baseName(name);
        return SettingTable.BROKER.find(base) != null
                || (!base.equals(name) && afterMechanism(base))
                || OF_PLUGINS.contains(name)
                || PREFIXES_OF_PLUGINS.stream().anyMatch(name::startsWith);
    }

    private static boolean afterMechanism(String base) {
        int dot = base.indexOf('.');
        return dot > 0 && SettingTable.BROKER.find(base.substring(dot + 1)) != null;
    }

    /** The known name that takes the fewest changed letters, if those are not more than a quarter of it. */
    private static Optional<String> nearest(String name) {
        String nearest = "";
        int fewest = Integer.MAX_VALUE;
        for (String candidate : (Iterable<String>) known()::iterator) {
            int distance = distance(name, candidate);
            if (distance < fewest) {
                fewest = distance;
                nearest = candidate;
            }
        }
        return fewest <= Math.max(2, nearest.length() / 4) ? Optional.of(nearest) : Optional.empty();
    }

    private static Stream<String> known() {
        return SettingTable.BROKER.all().stream().map(Setting::name);
    }

    /** Letters to insert, delete or replace to get from one word to the other. */
    private static int distance(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] current = new int[to.length() + 1];
            current[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
