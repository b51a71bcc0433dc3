package io.highwater.broker.api.cluster;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.LiveConfig;
import io.highwater.controlplane.Caller;
import io.highwater.controlplane.ControlPlane;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates topics that somebody used before anybody created them, and the broker's own topics when they are first needed. Asks the
 * controller and does not wait for it; while a topic is asked for it is not asked for again. Any thread.
 */
public final class TopicAutoCreation {
    private static final Logger LOG = LoggerFactory.getLogger(TopicAutoCreation.class);
    private static final short CREATE_TOPICS_VERSION = 7;
    private static final int AS_THE_CONTROLLER_HAS_IT = -1;

    private final ControlPlane controlPlane;
    private final LiveConfig config;
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    /** Creates through this control plane, with what the configuration says about new topics. */
    public TopicAutoCreation(ControlPlane controlPlane, LiveConfig config) {
        this.controlPlane = controlPlane;
        this.config = config;
    }

    /**
     * Starts to create what is not being created already.
     *
     * @param names of topics that do not exist
     * @param caller on whose behalf; {@link Caller#self()} for the broker's own topics
     * @return what to tell the client by name: INVALID_TOPIC_EXCEPTION, or UNKNOWN_TOPIC_OR_PARTITION, which makes it ask again
     */
    public Map<String, Errors> start(Collection<String> names, Caller caller) {
        Map<String, Errors> toTell = new TreeMap<>();
        CreateTopicsRequestData.CreatableTopicCollection toCreate =
                new CreateTopicsRequestData.CreatableTopicCollection();
        for (String name : names) {
            if (!isValid(name)) {
                toTell.put(name, Errors.INVALID_TOPIC_EXCEPTION);
                continue;
            }
            toTell.put(name, Errors.UNKNOWN_TOPIC_OR_PARTITION);
            if (underWay.add(name)) {
                toCreate.add(newTopic(name, config.current()));
            }
        }
        if (!toCreate.isEmpty()) {
            ask(toCreate, caller);
        }
        return toTell;
    }

    /** Whether Kafka allows a topic of that name. */
    static boolean isValid(String name) {
        try {
            Topic.validate(name);
            return true;
        } catch (InvalidTopicException e) {
            return false;
        }
    }

    private void ask(CreateTopicsRequestData.CreatableTopicCollection topics, Caller caller) {
        CreateTopicsRequestData request = new CreateTopicsRequestData()
                .setTopics(topics)
                .setTimeoutMs(config.current().getInt("request.timeout.ms"));
        Set<String> names = Set.copyOf(topics.stream().map(CreatableTopic::name).toList());
        LOG.info("creating topics that are used but do not exist: {}", names);
        var unused = controlPlane
                .forward(ApiKeys.CREATE_TOPICS, CREATE_TOPICS_VERSION, request, caller)
                .whenComplete((answer, failure) -> finished(names, answer, failure));
    }

    private void finished(Set<String> names, @Nullable ApiMessage answer, @Nullable Throwable failure) {
        underWay.removeAll(names);
        if (failure != null) {
            LOG.warn("could not create the topics {}: {}", names, failure.toString());
        } else if (answer instanceof CreateTopicsResponseData created) {
            created.topics().stream()
                    .filter(topic -> topic.errorCode() != Errors.NONE.code()
                            && topic.errorCode() != Errors.TOPIC_ALREADY_EXISTS.code())
                    .forEach(topic -> LOG.warn(
                            "could not create the topic {}: {} ({})",
                            topic.name(),
                            Errors.forCode(topic.errorCode()),
                            topic.errorMessage()));
        }
    }

    private static CreatableTopic newTopic(String name, BrokerConfig config) {
        return switch (name) {
            case Topic.GROUP_METADATA_TOPIC_NAME ->
                internal(name, config, "offsets.topic.num.partitions", "offsets.topic.replication.factor")
                        .setConfigs(configs(Map.of(
                                "cleanup.policy",
                                "compact",
                                "compression.type",
                                "producer",
                                "segment.bytes",
                                String.valueOf(config.value("offsets.topic.segment.bytes")))));
            case Topic.TRANSACTION_STATE_TOPIC_NAME ->
                internal(
                                name,
                                config,
                                "transaction.state.log.num.partitions",
                                "transaction.state.log.replication.factor")
                        .setConfigs(configs(Map.of(
                                "cleanup.policy",
                                "compact",
                                "compression.type",
                                "uncompressed",
                                "unclean.leader.election.enable",
                                "false",
                                "min.insync.replicas",
                                String.valueOf(config.value("transaction.state.log.min.isr")),
                                "segment.bytes",
                                String.valueOf(config.value("transaction.state.log.segment.bytes")))));
            default ->
                new CreatableTopic()
                        .setName(name)
                        .setNumPartitions(
                                config.isSet("num.partitions")
                                        ? config.getInt("num.partitions")
                                        : AS_THE_CONTROLLER_HAS_IT)
                        .setReplicationFactor((short)
                                (config.isSet("default.replication.factor")
                                        ? config.getInt("default.replication.factor")
                                        : AS_THE_CONTROLLER_HAS_IT));
        };
    }

    private static CreatableTopic internal(String name, BrokerConfig config, String partitions, String replicas) {
        return new CreatableTopic()
                .setName(name)
                .setNumPartitions(config.getInt(partitions))
                .setReplicationFactor((short) config.getInt(replicas));
    }

    private static CreateTopicsRequestData.CreatableTopicConfigCollection configs(Map<String, String> entries) {
        CreateTopicsRequestData.CreatableTopicConfigCollection configs =
                new CreateTopicsRequestData.CreatableTopicConfigCollection();
        entries.forEach((name, value) ->
                configs.add(new CreatableTopicConfig().setName(name).setValue(value)));
        return configs;
    }
}
