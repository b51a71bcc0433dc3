package io.highwater.broker.api.configs;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.SettingTable;
import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;

/** Checks what would become of a resource, as far as this broker can tell; topics are the controller's to check. */
final class ResourceChecks {
    private final BrokerConfig broker;

    ResourceChecks(BrokerConfig broker) {
        this.broker = broker;
    }

    /** The settings that resources of this type have. */
    static SettingTable tableOf(ConfigResource.Type type) {
        return switch (type) {
            case TOPIC -> SettingTable.TOPIC;
            case GROUP -> SettingTable.GROUP;
            case CLIENT_METRICS -> SettingTable.CLIENT_METRICS;
            case BROKER, BROKER_LOGGER, UNKNOWN -> SettingTable.BROKER;
        };
    }

    /** Ends the matter if the resource is none that this broker passes on at all. */
    void requireOurs(byte typeId, String name) throws RefusedException {
        ConfigResource.Type type = ConfigResource.Type.forId(typeId);
        if (type == ConfigResource.Type.UNKNOWN || type == ConfigResource.Type.BROKER_LOGGER) {
            throw new RefusedException(Errors.INVALID_REQUEST, "resources of type " + typeId + " cannot be changed");
        }
        if (type == ConfigResource.Type.BROKER && !name.isEmpty()) {
            new BrokerIdentity(broker.nodeId()).require(name);
        }
    }

    /** Checks the entries that the resource would have. */
    void check(ConfigResource resource, Map<String, String> entries) throws RefusedException {
        switch (resource.type()) {
            case BROKER ->
                new BrokerChanges(broker).check(entries, !resource.name().isEmpty());
            case GROUP -> new GroupChanges(broker).check(entries);
            case CLIENT_METRICS -> ClientMetricsChanges.check(resource.name(), entries);
            case TOPIC, BROKER_LOGGER, UNKNOWN -> {}
        }
    }
}
