package io.highwater.broker.view;

import java.util.List;

/**
 * One group, as its coordinator knows it.
 *
 * @param id its name
 * @param type classic, consumer, ...
 * @param state as Kafka names it
 * @param members how many, -1 if that is not known
 * @param committed what it has committed
 */
public record LocalGroup(String id, String type, String state, int members, List<Committed> committed) {
    /**
     * How far a group has come in a partition.
     *
     * @param topic its topic
     * @param partition its index
     * @param offset what it reads next
     */
    public record Committed(String topic, int partition, long offset) {}
}
