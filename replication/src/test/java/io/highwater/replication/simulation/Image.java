package io.highwater.replication.simulation;

import io.highwater.replication.Membership;
import java.util.Map;

/**
 * The cluster's metadata at one moment, as the controller publishes it.
 *
 * @param version rises with every change
 */
record Image(long version, PartitionState partition, Map<Integer, Registration> brokers) implements Membership {
    static final Registration UNKNOWN = new Registration(-1, -1, true, false);

    /**
     * One life of a broker.
     *
     * @param epoch of this registration
     * @param life which process it was
     * @param fenced whether it may neither lead nor join
     * @param stopping whether it has asked to stop
     */
    record Registration(long epoch, int life, boolean fenced, boolean stopping) {
        boolean isActive() {
            return !fenced && !stopping;
        }
    }

    Registration broker(int id) {
        return brokers.getOrDefault(id, UNKNOWN);
    }

    @Override
    public boolean isActive(int brokerId) {
        return broker(brokerId).isActive();
    }

    @Override
    public long brokerEpoch(int brokerId) {
        return broker(brokerId).epoch();
    }
}
