package io.highwater.itests.soak;

import java.util.Arrays;

/**
 * What happened to one partition. Values are the numbers 0, 1, 2, ... in the order in which they were sent. Written by the producer's and the
 * consumer's threads, each its own part; read when both have ended.
 */
final class Ledger {
    private static final int NONE = -1;

    private int sent;
    private int acknowledged;
    private int failed;
    private int[] offsetOfAcknowledged = filled(1024);
    private int seen;
    private int[] seenAt = filled(1024);
    private int[] finallyAt = filled(1024);
    private int end;
    private int duplicates;
    private int outOfOrder;
    private int seenTwiceDifferently;

    /** The next value, which will be sent now. Producer. */
    int nextValue() {
        return sent++;
    }

    /** Producer's callback. */
    void onAcknowledged(int value, long offset) {
        acknowledged++;
        offsetOfAcknowledged = put(offsetOfAcknowledged, value, (int) offset);
    }

    /** Producer's callback. */
    void onFailed() {
        failed++;
    }

    /** A reader has been given {@code value} at {@code offset} while the load was on; perhaps not for the first time. Consumer. */
    void onSeen(long offset, int value) {
        int before = at(seenAt, (int) offset);
        if (before == NONE) {
            seen++;
            seenAt = put(seenAt, (int) offset, value);
        } else if (before != value) {
            seenTwiceDifferently++;
        }
    }

    /** The log as it is in the end, from the first offset on. */
    void onFinal(long offset, int value) {
        int newest = end == 0 ? NONE : at(finallyAt, end - 1);
        if (value == newest) {
            duplicates++;
        } else if (value < newest) {
            outOfOrder++;
        }
        finallyAt = put(finallyAt, (int) offset, value);
        end = (int) offset + 1;
    }

    /** The findings, when everything is in. */
    Findings findings() {
        int lost = 0;
        for (int value = 0; value < sent; value++) {
            int offset = at(offsetOfAcknowledged, value);
            if (offset != NONE && at(finallyAt, offset) != value) {
                lost++;
            }
        }
        int ghosts = seenTwiceDifferently;
        for (int offset = 0; offset < seenAt.length; offset++) {
            if (seenAt[offset] != NONE && at(finallyAt, offset) != seenAt[offset]) {
                ghosts++;
            }
        }
        return new Findings(sent, acknowledged, failed, seen, end, lost, duplicates, outOfOrder, ghosts);
    }

    private static int at(int[] numbers, int index) {
        return index < numbers.length ? numbers[index] : NONE;
    }

    private static int[] put(int[] numbers, int index, int number) {
        int[] target = numbers;
        if (index >= target.length) {
            target = Arrays.copyOf(numbers, Math.max(index + 1, numbers.length * 2));
            Arrays.fill(target, numbers.length, target.length, NONE);
        }
        target[index] = number;
        return target;
    }

    private static int[] filled(int size) {
        int[] numbers = new int[size];
        Arrays.fill(numbers, NONE);
        return numbers;
    }

    /**
     * Numbers of records.
     *
     * @param seen read while the load was on
     * @param stored in the log in the end, between its first and last offset
     * @param lost acknowledged, but not where the acknowledgement said
     * @param duplicated stored again right behind itself
     * @param reordered stored behind a later one (which a duplicate from further back is, too)
     * @param ghosts seen, but not stored there in the end
     */
    record Findings(
            long sent,
            long acknowledged,
            long failed,
            long seen,
            long stored,
            long lost,
            long duplicated,
            long reordered,
            long ghosts) {
        static final Findings NONE = new Findings(0, 0, 0, 0, 0, 0, 0, 0, 0);

        Findings plus(Findings other) {
            return new Findings(
                    sent + other.sent,
                    acknowledged + other.acknowledged,
                    failed + other.failed,
                    seen + other.seen,
                    stored + other.stored,
                    lost + other.lost,
                    duplicated + other.duplicated,
                    reordered + other.reordered,
                    ghosts + other.ghosts);
        }
    }
}
