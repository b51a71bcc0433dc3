package io.highwater.broker.api.configs;

import io.highwater.broker.config.LiveConfig;
import io.highwater.controlplane.ImageChange;
import io.highwater.controlplane.ImageListener;
import org.apache.kafka.common.config.ConfigResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what the cluster changes in this broker's settings into {@link LiveConfig}. Listens before the partitions do, so that they see
 * topics and the broker's defaults for them in step.
 */
public final class DynamicConfigListener implements ImageListener {
    private static final Logger LOG = LoggerFactory.getLogger(DynamicConfigListener.class);

    private final LiveConfig config;
    private final ConfigResource ofAll = new ConfigResource(ConfigResource.Type.BROKER, "");
    private final ConfigResource own;

    /** Changes that configuration. */
    public DynamicConfigListener(LiveConfig config) {
        this.config = config;
        this.own = new ConfigResource(
                ConfigResource.Type.BROKER, String.valueOf(config.current().nodeId()));
    }

    @Override
    public void onChange(ImageChange change) {
        if (change.changedConfigs().contains(ofAll) || change.changedConfigs().contains(own)) {
            config.applyDynamic(change.after().config(ofAll), change.after().config(own))
                    .forEach(left -> LOG.warn("a dynamic setting has no effect: {}", left));
        }
    }
}
