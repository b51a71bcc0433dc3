package io.highwater.replication.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What happened, line by line, for people. Costs nothing unless somebody wants to read it. */
final class Transcript {
    private final List<String> lines = new ArrayList<>();
    private final boolean kept;
    private final boolean timed;

    Transcript(boolean kept, boolean timed) {
        this.kept = kept;
        this.timed = timed;
    }

    void say(long nowMs, String format, Object... values) {
        if (kept) {
            String line = String.format(Locale.ROOT, format, values);
            lines.add(timed ? String.format(Locale.ROOT, "%7d ms  %s", nowMs, line) : line);
        }
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public String toString() {
        return String.join("\n", lines);
    }
}
