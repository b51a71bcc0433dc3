package io.highwater.broker.view;

/**
 * Stands for the numbers that tell of a replica, so that who asks can say what it knows. Two that differ may have the same one, once in four billion:
 * what nobody was told of for that is told with the next change, or when everything is. One thread.
 */
final class Fingerprint {
    /** Of nothing. */
    static final int UNKNOWN = 0;

    private static final long ODD = 0x9E37_79B9_7F4A_7C15L;

    private long mixed;

    void begin() {
        mixed = ODD;
    }

    void add(long number) {
        long product = (mixed ^ number) * ODD;
        mixed = product ^ (product >>> 32);
    }

    /** Never {@link #UNKNOWN}. */
    int value() {
        int value = (int) mixed;
        return value == UNKNOWN ? 1 : value;
    }
}
