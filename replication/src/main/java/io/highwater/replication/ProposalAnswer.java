package io.highwater.replication;

/** How a proposal failed, sorted by what a leader does next. */
public enum ProposalAnswer {
    /** Not now or not this one: back to the agreed set; the next fetch or tick may propose again. */
    REJECTED,
    /** The controller knows something this leader does not: the proposal stays pending until metadata arrives. */
    OVERTAKEN,
    /** It did not come to a decision: the same proposal again. */
    UNDECIDED
}
