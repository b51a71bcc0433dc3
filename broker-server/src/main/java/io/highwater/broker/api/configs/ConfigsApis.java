package io.highwater.broker.api.configs;

import io.highwater.broker.api.RequestRouter;
import io.highwater.broker.api.cluster.Forwarding;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.protocol.ApiKeys;

/** The handlers of this package. */
public final class ConfigsApis {
    private ConfigsApis() {}

    /** Adds them to the router of the brokers' listeners. */
    public static RequestRouter.Builder addTo(RequestRouter.Builder router, ConfigsNeeds needs) {
        Forwarding forwarding = new Forwarding(needs.controlPlane());
        return router.handle(
                        ApiKeys.DESCRIBE_CONFIGS, DescribeConfigsRequestData.class, new DescribeConfigsHandler(needs))
                .handle(
                        ApiKeys.INCREMENTAL_ALTER_CONFIGS,
                        IncrementalAlterConfigsRequestData.class,
                        new IncrementalAlterConfigsHandler(needs, forwarding))
                .handle(
                        ApiKeys.ALTER_CONFIGS,
                        AlterConfigsRequestData.class,
                        new AlterConfigsHandler(needs, forwarding))
                .handle(
                        ApiKeys.LIST_CONFIG_RESOURCES,
                        ListConfigResourcesRequestData.class,
                        new ListConfigResourcesHandler(needs));
    }
}
