package io.highwater.replication;

/**
 * What a follower does next about its leader's answer.
 *
 * @param kind what
 * @param offset where, -1 if that means nothing
 */
public record FollowerStep(Kind kind, long offset) {
    static final FollowerStep IGNORE = new FollowerStep(Kind.IGNORE, -1);
    static final FollowerStep APPEND = new FollowerStep(Kind.APPEND, -1);
    static final FollowerStep ASK_BOUNDS = new FollowerStep(Kind.ASK_BOUNDS, -1);
    static final FollowerStep BACK_OFF = new FollowerStep(Kind.BACK_OFF, -1);
    static final FollowerStep HALT = new FollowerStep(Kind.HALT, -1);

    /** The moves there are. After all of them but {@link #HALT} the follower fetches on. */
    public enum Kind {
        /** The world has changed since the question: the answer means nothing. */
        IGNORE,
        /** Append the records, if any, then report {@link FollowerReplica#onFetched}. */
        APPEND,
        /** Cut the log to end at {@link FollowerStep#offset}, then report {@link FollowerReplica#onTruncated}. */
        TRUNCATE,
        /** Drop the whole log and start it at {@link FollowerStep#offset}, then report {@link FollowerReplica#onRestartedAt}. */
        RESTART,
        /** Ask the leader where its log starts and ends, then go on with {@link FollowerReplica#onLeaderBounds}. */
        ASK_BOUNDS,
        /** Wait a little before asking again. */
        BACK_OFF,
        /** No more questions in this epoch: news from the controller is on its way. */
        HALT
    }

    static FollowerStep truncateTo(long offset) {
        return new FollowerStep(Kind.TRUNCATE, offset);
    }

    static FollowerStep restartAt(long offset) {
        return new FollowerStep(Kind.RESTART, offset);
    }
}
