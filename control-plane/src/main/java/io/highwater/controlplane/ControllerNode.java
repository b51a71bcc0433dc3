package io.highwater.controlplane;

import com.yammer.metrics.core.MetricsRegistry;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.common.security.token.delegation.internals.DelegationTokenCache;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.controller.QuorumController;
import org.apache.kafka.controller.QuorumFeatures;
import org.apache.kafka.controller.metrics.ControllerMetadataMetrics;
import org.apache.kafka.controller.metrics.ControllerMetadataMetricsPublisher;
import org.apache.kafka.controller.metrics.QuorumControllerMetrics;
import org.apache.kafka.image.publisher.ControllerRegistrationsPublisher;
import org.apache.kafka.metadata.KafkaConfigSchema;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The controller of this node: standby until the quorum elects it. It runs on the library's own thread. */
final class ControllerNode {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerNode.class);

    private final QuorumController controller;
    private final ControllerRequests requests;

    ControllerNode(
            NodeSettings settings,
            NodeIdentity identity,
            StaticConfig config,
            QuorumNode quorum,
            MetadataFeed feed,
            ControlExecutor executor,
            Supplier<ClusterImage> image,
            Faults faults,
            MetricsRegistry metrics) {
        QuorumControllerMetrics measured = new QuorumControllerMetrics(
                Optional.of(metrics), Time.SYSTEM, (int) TimeUnit.NANOSECONDS.toMillis(config.sessionTimeoutNs()));
        this.controller = build(settings, identity, config, quorum, faults, measured);
        ControllerMetadataMetrics seen = new ControllerMetadataMetrics(Optional.of(metrics));
        faults.onSurvived(seen::incrementMetadataErrorCount);
        feed.install(new ControllerMetadataMetricsPublisher(seen, faults.survivable("controller metrics")));
        ControllerRegistrationsPublisher controllers = new ControllerRegistrationsPublisher();
        feed.install(controllers);
        Map<ApiKeys, ControllerApi> apis = new EnumMap<>(ApiKeys.class);
        new QuorumRequests(quorum, executor).addTo(apis);
        new TopicRequests(controller, config.deleteTopicEnabled()).addTo(apis);
        new ConfigRequests(controller, image).addTo(apis);
        new BrokerRequests(controller, config.heartbeatIntervalMs()).addTo(apis);
        new SecurityRequests(controller).addTo(apis);
        new ClusterRequests(controller, identity, quorum, controllers, image).addTo(apis);
        this.requests = new ControllerRequests(apis, controller::isActive);
    }

    private static QuorumController build(
            NodeSettings settings,
            NodeIdentity identity,
            StaticConfig config,
            QuorumNode quorum,
            Faults faults,
            QuorumControllerMetrics metrics) {
        try {
            return new QuorumController.Builder(settings.nodeId(), identity.clusterId())
                    .setTime(Time.SYSTEM)
                    .setMetrics(metrics)
                    .setThreadNamePrefix("highwater-" + settings.nodeId() + "-controller-")
                    .setConfigSchema(schema())
                    .setRaftClient(quorum.client())
                    .setQuorumFeatures(
                            new QuorumFeatures(settings.nodeId(), SupportedFeatures.library(), config.voterIds()))
                    .setDefaultReplicationFactor(config.defaultReplicationFactor())
                    .setDefaultNumPartitions(config.numPartitions())
                    .setSessionTimeoutNs(config.sessionTimeoutNs())
                    .setLeaderImbalanceCheckIntervalNs(config.leaderImbalanceCheckNs())
                    .setMaxIdleIntervalNs(config.maxIdleNs())
                    .setUncleanLeaderElectionCheckIntervalMs(config.uncleanElectionIntervalMs())
                    .setCreateTopicPolicy(Optional.empty())
                    .setAlterConfigPolicy(Optional.empty())
                    .setConfigurationValidator(new ConfigValidation(config))
                    .setStaticConfig(new HashMap<>(config.given()))
                    .setBootstrapMetadata(bootstrap(settings))
                    .setDelegationTokenCache(new DelegationTokenCache(ScramMechanism.mechanismNames()))
                    .setDelegationTokenMaxLifeMs(TimeUnit.DAYS.toMillis(7))
                    .setDelegationTokenExpiryTimeMs(TimeUnit.DAYS.toMillis(1))
                    .setDelegationTokenExpiryCheckIntervalMs(TimeUnit.HOURS.toMillis(1))
                    .setFatalFaultHandler(faults.fatal("controller"))
                    .setNonFatalFaultHandler(faults.survivable("controller"))
                    .build();
        } catch (Exception failed) {
            throw new IllegalStateException("the controller could not be built", failed);
        }
    }

    private static KafkaConfigSchema schema() {
        return new KafkaConfigSchema(
                Map.of(
                        ConfigResource.Type.BROKER,
                        LogConfig.SERVER_CONFIG_DEF,
                        ConfigResource.Type.TOPIC,
                        LogConfig.configDefCopy()),
                ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS);
    }

    /** Of an older format; ours and that of 4.4 is in the log itself and replaces this when it is loaded. */
    private static BootstrapMetadata bootstrap(NodeSettings settings) {
        return java.nio.file.Files.exists(settings.metadataLogDirectory().resolve("bootstrap.checkpoint"))
                ? BootstrapMetadata.fromDirectory(settings.metadataLogDirectory())
                : BootstrapMetadata.fromVersion(MetadataVersion.latestProduction(), "this build");
    }

    boolean isActive() {
        return controller.isActive();
    }

    CompletionStage<ApiMessage> answer(ControllerCall call) {
        return requests.answer(call);
    }

    void beginShutdown() {
        controller.beginShutdown();
    }

    /** Waits for the controller's thread. */
    void close() {
        try {
            controller.close();
        } catch (InterruptedException interrupted) {
            LOG.debug("interrupted while the controller stops", interrupted);
            Thread.currentThread().interrupt();
        }
    }
}
