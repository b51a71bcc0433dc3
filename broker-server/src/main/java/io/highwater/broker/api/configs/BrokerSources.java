package io.highwater.broker.api.configs;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.Setting;
import io.highwater.broker.config.SettingTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.jspecify.annotations.Nullable;

/**
 * Where the value of a broker setting comes from, strongest source first: this broker's dynamic value, the cluster's, the file, the
 * default; within a source the setting itself and then those that stand for it in another unit.
 */
final class BrokerSources {
    private static final List<List<String>> IN_OTHER_UNITS = List.of(
            List.of("log.roll.ms", "log.roll.hours"),
            List.of("log.roll.jitter.ms", "log.roll.jitter.hours"),
            List.of("log.retention.ms", "log.retention.minutes", "log.retention.hours"));
    private static final List<String> FLUSH = List.of("log.flush.interval.ms", "log.flush.scheduler.interval.ms");
    private static final Pattern OF_LISTENER = Pattern.compile("listener\\.name\\.[^.]*\\.(.*)");
    private static final List<String> OF_MECHANISMS = List.of(
            "sasl.jaas.config",
            "sasl.login.callback.handler.class",
            "sasl.login.class",
            "sasl.server.callback.handler.class",
            "connections.max.reauth.ms");

    private final BrokerConfig config;

    BrokerSources(BrokerConfig config) {
        this.config = config;
    }

    /**
     * All values that the setting has, strongest first. As Kafka tells it, the list begins with the first that goes by the very
     * name: a value given in hours is not shown for the setting in milliseconds unless that is given somewhere too.
     */
    List<DescribeConfigsSynonym> of(String name, boolean hideValues) {
        List<String> names = standIns(name);
        List<DescribeConfigsSynonym> all = new ArrayList<>();
        add(all, names, config.ofThisBroker(), ConfigSource.DYNAMIC_BROKER_CONFIG);
        add(all, names, config.clusterDefaults(), ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG);
        add(all, names, config.fromFile(), ConfigSource.STATIC_BROKER_CONFIG);
        for (String each : names) {
            String defaultText = defaultText(each);
            if (defaultText != null) {
                all.add(synonym(each, defaultText, ConfigSource.DEFAULT_CONFIG));
            }
        }
        int first = 0;
        while (first < all.size() && !all.get(first).name().equals(name)) {
            first++;
        }
        List<DescribeConfigsSynonym> told = all.subList(first, all.size());
        if (hideValues) {
            told.forEach(synonym -> synonym.setValue(null));
        }
        return told;
    }

    private static void add(
            List<DescribeConfigsSynonym> all, List<String> names, Map<String, String> given, ConfigSource source) {
        for (String name : names) {
            String value = given.get(name);
            if (value != null) {
                all.add(synonym(name, value, source));
            }
        }
    }

    private static List<String> standIns(String name) {
        for (List<String> units : IN_OTHER_UNITS) {
            if (units.contains(name)) {
                return units;
            }
        }
        if (name.equals(FLUSH.get(0))) {
            return FLUSH;
        }
        Matcher matcher = OF_LISTENER.matcher(name);
        return matcher.matches() ? List.of(name, baseName(matcher.group(1))) : List.of(name);
    }

    private static String baseName(String afterListener) {
        return OF_MECHANISMS.stream()
                .filter(afterListener::endsWith)
                .findFirst()
                .orElse(afterListener);
    }

    /** The setting behind a name, also if the name narrows it to a listener or mechanism. */
    static @Nullable Setting setting(String name) {
        Matcher matcher = OF_LISTENER.matcher(name);
        return SettingTable.BROKER.find(matcher.matches() ? baseName(matcher.group(1)) : name);
    }

    private static @Nullable String defaultText(String name) {
        Setting setting = SettingTable.BROKER.find(name);
        return setting == null || setting.change() == Setting.Change.RATE ? null : setting.defaultText();
    }

    static DescribeConfigsSynonym synonym(String name, @Nullable String value, ConfigSource source) {
        return new DescribeConfigsSynonym().setName(name).setValue(value).setSource(source.id());
    }
}
