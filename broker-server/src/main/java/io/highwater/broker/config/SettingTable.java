package io.highwater.broker.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/** The settings of one kind of thing, read from the tables beside this class. */
public final class SettingTable {
    /** Settings of a broker; the fallbacks of the topic settings are among them. */
    public static final SettingTable BROKER = read("broker-settings.txt");

    /** Settings of a topic. */
    public static final SettingTable TOPIC = read("topic-settings.txt");

    /** Settings of a group. */
    public static final SettingTable GROUP = read("group-settings.txt");

    /** Settings of a client metrics subscription. */
    public static final SettingTable CLIENT_METRICS = read("client-metrics-settings.txt");

    private final Map<String, Setting> byName;

    private SettingTable(Map<String, Setting> byName) {
        this.byName = byName;
    }

    /** The setting of that name; null if there is none. */
    public @Nullable Setting find(String name) {
        return byName.get(name);
    }

    /**
     * The setting of that name.
     *
     * @throws IllegalStateException if there is none: the asker has a typing error
     */
    public Setting get(String name) {
        Setting setting = byName.get(name);
        if (setting == null) {
            throw new IllegalStateException("no such setting: " + name);
        }
        return setting;
    }

    /** All settings, in the order of the table. */
    public Collection<Setting> all() {
        return byName.values();
    }

    private static SettingTable read(String resource) {
        try (InputStream in = SettingTable.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("missing from the jar: " + resource);
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            Map<String, Setting> settings = new LinkedHashMap<>();
            lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(SettingTable::setting)
                    .forEach(setting -> settings.put(setting.name(), setting));
            return new SettingTable(Collections.unmodifiableMap(settings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Setting setting(String line) {
        String[] columns = line.trim().split("\\s+", -1);
        if (columns.length != 8) {
            throw new IllegalStateException("not eight columns: " + line);
        }
        String defaultText = columns[2];
        return new Setting(
                columns[0],
                ConfigDef.Type.valueOf(columns[1].toUpperCase(Locale.ROOT)),
                defaultText.equals("-") || defaultText.equals("!") ? null : defaultText.equals("~") ? "" : defaultText,
                defaultText.equals("!"),
                ConfigDef.Importance.valueOf(columns[4].toUpperCase(Locale.ROOT)),
                Setting.Change.valueOf(columns[5].toUpperCase(Locale.ROOT)),
                columns[6].equals("internal"),
                fallbacks(columns[7]),
                AllowedValues.parse(columns[3]));
    }

    private static List<Setting.Fallback> fallbacks(String text) {
        return text.equals("-")
                ? List.of()
                : Arrays.stream(text.split(",", -1))
                        .map(SettingTable::fallback)
                        .collect(Collectors.toUnmodifiableList());
    }

    private static Setting.Fallback fallback(String text) {
        int star = text.indexOf('*');
        return star < 0
                ? new Setting.Fallback(text, 1)
                : new Setting.Fallback(text.substring(0, star), Long.parseLong(text.substring(star + 1)));
    }
}
