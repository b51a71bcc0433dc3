package io.highwater.replication.simulation;

import io.highwater.replication.LeaderAnswer;
import io.highwater.replication.Refusal;
import java.util.List;

/** What a leader answers to a fetch: its word, and records. */
record Fetched(LeaderAnswer answer, List<Entry> records) {
    static Fetched refused(Refusal refusal) {
        return new Fetched(LeaderAnswer.refused(refusal), List.of());
    }

    static Fetched records(List<Entry> records, long highWatermark, long logStartOffset) {
        return new Fetched(new LeaderAnswer(null, highWatermark, logStartOffset, null), records);
    }

    boolean isRefused() {
        return answer.refusal() != null;
    }
}
