package io.highwater.broker.api.cluster;

/** Knows which partitions take records here. */
@FunctionalInterface
public interface LeadersServing {
    /** Whether this broker leads that partition and would take a write now. Never waits. Any thread. */
    boolean isServing(String topic, int index);
}
