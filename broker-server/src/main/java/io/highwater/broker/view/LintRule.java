package io.highwater.broker.view;

import java.util.Locale;

/** What the lint looks for. */
public enum LintRule {
    /** The cluster is one broker. */
    ONE_BROKER,
    /** A topic has one copy although there are more brokers. */
    ONE_COPY,
    /** One of Kafka's own topics has fewer copies than it could. */
    INTERNAL_REPLICATION,
    /** acks=all may mean one copy. */
    MIN_ISR_ONE,
    /** acks=all stops with the first broker that is down. */
    MIN_ISR_ALL,
    /** A replica that misses committed records may lead. */
    UNCLEAN_ELECTION,
    /** Producers do not wait at all. */
    ACKS_NONE,
    /** Producers wait for the leader alone. */
    ACKS_LEADER,
    /** Brokers are not told apart by rack. */
    RACKS;

    /** As findings and metrics name it: {@code min-isr-one}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
