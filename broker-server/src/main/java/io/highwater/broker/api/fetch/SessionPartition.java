package io.highwater.broker.api.fetch;

import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchResponse;

/** One partition of a session: what was wanted last, and what was told last. Guarded by its {@link FetchSession}. */
final class SessionPartition {
    private static final long NEVER_TOLD = -1;

    private Wanted wanted;
    private long toldHighWatermark = NEVER_TOLD;
    private long toldLogStartOffset = NEVER_TOLD;

    SessionPartition(Wanted wanted) {
        this.wanted = wanted;
    }

    Wanted wanted() {
        return wanted;
    }

    void want(Wanted now) {
        wanted = now;
    }

    /** Remembers what the reader is told; true if any of it is news. */
    boolean tell(PartitionData answer) {
        boolean refused = answer.errorCode() != Errors.NONE.code();
        boolean astray = FetchResponse.isDivergingEpoch(answer);
        boolean news = FetchResponse.recordsSize(answer) > 0
                || answer.highWatermark() != toldHighWatermark
                || answer.logStartOffset() != toldLogStartOffset
                || FetchResponse.isPreferredReplica(answer)
                || astray
                || refused
                || lacks(answer.highWatermark());
        toldLogStartOffset = answer.logStartOffset();
        // An error is told every time, and what comes after it as well. Who went astray cuts its log and takes nothing
        // else from the
        // answer: unless it is told again, it learns what is committed with the next commit only, which on a quiet
        // topic is never.
        toldHighWatermark = refused || astray ? NEVER_TOLD : answer.highWatermark();
        return news;
    }

    /** Whether the reader is a follower that says it knows less: it did not use an earlier answer, and fetches in vain until it is told. */
    private boolean lacks(long highWatermark) {
        return wanted.knownHighWatermark() < Math.min(highWatermark, wanted.fetchOffset());
    }
}
