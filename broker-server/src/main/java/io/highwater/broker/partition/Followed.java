package io.highwater.broker.partition;

/** What became of a leader's answer in its follower. */
public enum Followed {
    /** It was carried out: ask on, from where the log is now. */
    GO_ON,
    /** It was about a position that no longer holds: ask anew, if there is anything to ask. */
    IGNORED,
    /** The leader has to say where its log starts and ends: {@link PartitionFollowing#onLeaderBounds}. */
    ASK_BOUNDS,
    /** Ask again, but not at once. */
    BACK_OFF,
    /** Nothing to ask before the controller has news. */
    HALTED
}
