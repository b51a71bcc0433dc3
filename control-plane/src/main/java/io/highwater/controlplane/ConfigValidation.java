package io.highwater.controlplane;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.controller.ConfigurationValidator;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.apache.kafka.storage.internals.log.LogConfig;

/** What the controller refuses to write into the metadata log, whoever asks. */
final class ConfigValidation implements ConfigurationValidator {
    /** What topics get from this node's static configuration, under the topics' names. */
    private final Map<String, String> topicDefaults;

    private final boolean remoteStorageEnabled;

    ConfigValidation(StaticConfig config) {
        this.topicDefaults = topicDefaults(config.given());
        this.remoteStorageEnabled = config.remoteStorageEnabled();
    }

    private static Map<String, String> topicDefaults(Map<String, String> given) {
        Map<String, String> defaults = new HashMap<>();
        defaults.put(TopicConfig.RETENTION_MS_CONFIG, String.valueOf(LogConfig.DEFAULT_RETENTION_MS));
        ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS.forEach((name, synonyms) -> synonyms.stream()
                .filter(synonym -> given.containsKey(synonym.name()))
                .findFirst()
                .ifPresent(synonym -> defaults.put(name, synonym.converter().apply(given.get(synonym.name())))));
        return defaults;
    }

    @Override
    public void validate(ConfigResource resource) {
        switch (resource.type()) {
            case TOPIC -> validateTopicName(resource.name());
            case BROKER -> validateBrokerName(resource.name());
            case GROUP -> validateGroupName(resource.name());
            case CLIENT_METRICS -> validateSubscriptionName(resource.name());
            case BROKER_LOGGER, UNKNOWN ->
                throw new InvalidRequestException("Unknown resource type " + resource.type());
        }
    }

    @Override
    public void validate(ConfigResource resource, Map<String, String> wished, Map<String, String> existing) {
        validate(resource);
        switch (resource.type()) {
            case TOPIC ->
                LogConfig.validate(existing, withoutNulls(wished, "topic"), topicDefaults, remoteStorageEnabled);
            case GROUP -> withoutNulls(wished, "group");
            case CLIENT_METRICS -> withoutNulls(wished, "client metrics");
            case BROKER, BROKER_LOGGER, UNKNOWN -> {}
        }
    }

    private static void validateTopicName(String name) {
        if (name.isEmpty()) {
            throw new InvalidRequestException("Default topic resources are not allowed.");
        }
        Topic.validate(name);
    }

    private static void validateBrokerName(String name) {
        if (name.isEmpty()) {
            return;
        }
        try {
            if (Integer.parseInt(name) < 0) {
                throw new InvalidRequestException("Invalid negative broker ID.");
            }
        } catch (NumberFormatException notANumber) {
            throw new InvalidRequestException("Unable to parse broker name as a base 10 number.", notANumber);
        }
    }

    private static void validateGroupName(String name) {
        if (name.isEmpty()) {
            throw new InvalidRequestException("Default group resources are not allowed.");
        }
    }

    private static void validateSubscriptionName(String name) {
        if (name.isEmpty()) {
            throw new InvalidRequestException("Subscription name can't be empty");
        }
    }

    private static Map<String, String> withoutNulls(Map<String, String> configs, String kind) {
        List<String> nulls = new ArrayList<>();
        configs.forEach((name, value) -> {
            if (value == null) {
                nulls.add(name);
            }
        });
        if (!nulls.isEmpty()) {
            throw new InvalidConfigurationException(
                    "Null value not supported for " + kind + " configs: " + String.join(",", nulls));
        }
        return new HashMap<>(configs);
    }
}
