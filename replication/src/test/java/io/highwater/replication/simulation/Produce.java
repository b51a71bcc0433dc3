package io.highwater.replication.simulation;

/**
 * A producer's request.
 *
 * @param firstSequence number of its first record
 * @param count how many
 * @param acks 0, 1 or -1
 * @param idempotent whether the leader is to sort out repetitions
 */
record Produce(String producer, int firstSequence, int count, int acks, boolean idempotent) {
    int lastSequence() {
        return firstSequence + count - 1;
    }
}
