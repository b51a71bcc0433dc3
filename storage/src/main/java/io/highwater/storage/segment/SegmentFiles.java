package io.highwater.storage.segment;

import java.nio.file.Path;
import java.util.Locale;

/** Names of the files of segments: 20 digits of base offset, a kind, and while in transit a suffix. */
public final class SegmentFiles {
    /** The batches. */
    public static final String LOG = ".log";

    /** Where they lie. */
    public static final String OFFSET_INDEX = ".index";

    /** When they are from. */
    public static final String TIME_INDEX = ".timeindex";

    /** Which transactions were aborted. */
    public static final String TXN_INDEX = ".txnindex";

    /** Waits to be deleted. */
    public static final String DELETED = ".deleted";

    /** Being built by compaction or by the split of a segment. */
    public static final String CLEANED = ".cleaned";

    /** Finished by compaction or split, about to take the place of others. */
    public static final String SWAP = ".swap";

    private static final int DIGITS = 20;

    private SegmentFiles() {}

    /** The file of this kind for the segment at {@code baseOffset}. */
    public static Path file(Path directory, long baseOffset, String kind) {
        return directory.resolve(String.format(Locale.ROOT, "%020d", baseOffset) + kind);
    }

    /** The base offset in a file's name, or -1 if the name does not start with one. */
    public static long baseOffset(String fileName) {
        if (fileName.length() <= DIGITS || fileName.charAt(DIGITS) != '.') {
            return -1;
        }
        for (int i = 0; i < DIGITS; i++) {
            if (fileName.charAt(i) < '0' || fileName.charAt(i) > '9') {
                return -1;
            }
        }
        try {
            return Long.parseLong(fileName, 0, DIGITS, 10);
        } catch (NumberFormatException e) {
            return -1; // above the largest offset
        }
    }
}
