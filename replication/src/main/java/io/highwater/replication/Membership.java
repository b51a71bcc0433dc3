package io.highwater.replication;

/** What the newest cluster metadata says of brokers. Implementations answer from memory and have no side effects. */
public interface Membership {
    /** Accepts every broker and knows of no epoch: for a single node and for tests. */
    Membership EVERYBODY = new Membership() {
        @Override
        public boolean isActive(int brokerId) {
            return true;
        }

        @Override
        public long brokerEpoch(int brokerId) {
            return -1;
        }
    };

    /** True if registered, not fenced, and not in controlled shutdown. */
    boolean isActive(int brokerId);

    /** The epoch of the broker's present registration, -1 if there is none. */
    long brokerEpoch(int brokerId);
}
