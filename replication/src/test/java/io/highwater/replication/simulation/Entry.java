package io.highwater.replication.simulation;

/**
 * One record of the simulated partition.
 *
 * @param leaderEpoch the reign in which it was appended
 * @param producer who sent it
 * @param sequence its number among that producer's records, from 0
 */
record Entry(int leaderEpoch, String producer, int sequence) {
    /** Stands for whatever was deleted before anybody could know it. */
    static final Entry DELETED = new Entry(-1, "", -1);

    @Override
    public String toString() {
        return producer + sequence + "/e" + leaderEpoch;
    }
}
