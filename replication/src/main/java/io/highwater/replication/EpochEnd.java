package io.highwater.replication;

/**
 * Where the records of a leader epoch end.
 *
 * @param epoch the leader epoch, -1 if undefined
 * @param offset one past its last record, -1 if undefined
 */
public record EpochEnd(int epoch, long offset) {
    /** No such epoch. */
    public static final EpochEnd UNDEFINED = new EpochEnd(-1, -1);

    /** True if there is such an epoch. */
    public boolean isDefined() {
        return epoch >= 0;
    }
}
