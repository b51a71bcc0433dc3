package io.highwater.controlplane;

import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.jspecify.annotations.Nullable;

/**
 * What is known about one setting without asking any broker.
 *
 * @param name its name
 * @param type its type, in the words of DescribeConfigs
 * @param defaultValue Kafka's default as text, or null if there is none
 * @param documentation Kafka's sentence about it
 * @param sensitive whether its value must not be shown
 * @param brokerSynonyms the broker settings that a topic setting falls back to, nearest first
 */
public record ConfigDefinition(
        String name,
        ConfigEntry.ConfigType type,
        @Nullable String defaultValue,
        String documentation,
        boolean sensitive,
        List<Synonym> brokerSynonyms) {

    /**
     * A broker setting that stands in for a topic setting.
     *
     * @param brokerConfig its name
     * @param toTopicValue turns its value into the topic setting's unit (hours to milliseconds, say)
     */
    public record Synonym(String brokerConfig, UnaryOperator<String> toTopicValue) {}
}
