package io.highwater.broker.metrics;

import java.util.List;

/**
 * A group whose coordinator is here, at one moment.
 *
 * @param id the group
 * @param members how many it has; a group without keeps its offsets
 * @param offsets what it has committed
 */
public record GroupSample(String id, int members, List<Offset> offsets) {
    /**
     * One committed offset.
     *
     * @param topic the topic's name
     * @param partition the partition within it
     * @param committed the next offset that the group will read
     * @param lagRecords committed records from there on, never negative; -1 if neither this broker nor their leader says
     * @param lagMs age of the first of those records, 0 if there is none, -1 if not known
     */
    public record Offset(String topic, int partition, long committed, long lagRecords, long lagMs) {}
}
