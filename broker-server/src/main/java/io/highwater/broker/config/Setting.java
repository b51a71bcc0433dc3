package io.highwater.broker.config;

import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * One setting: what it is called, what it takes, and what it falls back to.
 *
 * @param name Kafka's name (or one of our own that start with {@code highwater.})
 * @param type Kafka's type
 * @param defaultText default as text, null when there is none
 * @param required whether it has to be given
 * @param importance Kafka's importance
 * @param change who may change it while a broker runs
 * @param internal not shown by tools unless it is set
 * @param fallbacks broker settings asked in this order when a topic or group does not set it itself
 */
public record Setting(
        String name,
        ConfigDef.Type type,
        @Nullable String defaultText,
        boolean required,
        ConfigDef.Importance importance,
        Change change,
        boolean internal,
        List<Fallback> fallbacks,
        AllowedValues allowedValues) {

    /** Who may change a broker's setting while it runs. */
    public enum Change {
        /** Only the file, at start. */
        FIXED,
        /** One broker at a time. */
        BROKER,
        /** One broker, or all of them by the cluster's default. */
        CLUSTER,
        /** As {@link #CLUSTER}, but it has no form in a file. */
        RATE,
        /** On the topic or group itself. */
        OWN
    }

    /**
     * A broker setting that stands in for a topic's.
     *
     * @param name of the broker setting
     * @param factor from its unit to the topic setting's unit
     */
    public record Fallback(String name, long factor) {}

    /** Whether its value must not be shown. */
    public boolean sensitive() {
        return type == ConfigDef.Type.PASSWORD;
    }

    /** What may be given, for a message. */
    public String allowedInWords() {
        return allowedValues.inWords();
    }

    /** The parsed default; null when there is none. */
    public @Nullable Object defaultValue() {
        return defaultText == null ? null : typed(defaultText);
    }

    /**
     * The typed value of a text, as Kafka reads it (trimmed; lists by comma).
     *
     * @throws InvalidSettingException if it is of another type or not allowed
     */
    public @Nullable Object parse(@Nullable String text) {
        Object value = typed(text);
        if (!allowedValues.allows(value)) {
            throw refusal(text, "not allowed");
        }
        return value;
    }

    private @Nullable Object typed(@Nullable String text) {
        try {
            return type == ConfigDef.Type.CLASS ? trimmed(text) : ConfigDef.parseType(name, text, type);
        } catch (ConfigException e) {
            throw refusal(text, "not a value of type " + type.name().toLowerCase(Locale.ROOT));
        }
    }

    private InvalidSettingException refusal(@Nullable String text, String why) {
        String shown = sensitive() ? "[hidden]" : String.valueOf(text);
        return new InvalidSettingException(
                name,
                name + "=" + shown + " is " + why + "; allowed is "
                        + type.name().toLowerCase(Locale.ROOT) + ", " + allowedInWords());
    }

    private static @Nullable String trimmed(@Nullable String text) {
        return text == null ? null : text.trim();
    }
}
