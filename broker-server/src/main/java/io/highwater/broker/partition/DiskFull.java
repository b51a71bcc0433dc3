package io.highwater.broker.partition;

import java.io.IOException;
import java.util.Locale;

/** Tells a full disk, which an administrator can mend while the broker runs, from one that is broken. */
final class DiskFull {
    private DiskFull() {}

    /** Java has no exception of its own for it, only the operating system's words. */
    static boolean isMeantBy(Throwable cause) {
        for (Throwable next = cause; next != null; next = next.getCause()) {
            String message = next.getMessage();
            if (next instanceof IOException && message != null) {
                String words = message.toLowerCase(Locale.ROOT);
                if (words.contains("no space left")
                        || words.contains("quota exceeded")
                        || words.contains("disk full")) {
                    return true;
                }
            }
        }
        return false;
    }
}
