package io.highwater.broker.partition;

/**
 * What partitions want of whoever brings followers what their leaders have. Told without a partition's lock, from any thread; must
 * be quick.
 */
@FunctionalInterface
public interface FollowerFeed {
    /** Nobody brings anything. */
    FollowerFeed NONE = partition -> {};

    /**
     * A partition began to follow, follows in another reign, began to lead, or is gone: what it is now is for the listener to look up. News
     * of one partition may overtake each other, and so only what holds now counts.
     */
    void onRoleChanged(Partition partition);
}
