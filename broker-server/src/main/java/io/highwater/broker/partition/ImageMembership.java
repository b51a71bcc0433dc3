package io.highwater.broker.partition;

import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.replication.Membership;
import java.util.function.Supplier;

/** What the newest image says of brokers. */
public record ImageMembership(Supplier<ClusterImage> image) implements Membership {
    @Override
    public boolean isActive(int brokerId) {
        BrokerView broker = image.get().broker(brokerId);
        return broker != null && broker.active();
    }

    @Override
    public long brokerEpoch(int brokerId) {
        BrokerView broker = image.get().broker(brokerId);
        return broker == null ? -1 : broker.brokerEpoch();
    }
}
