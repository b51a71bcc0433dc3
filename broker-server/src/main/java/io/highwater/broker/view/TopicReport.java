package io.highwater.broker.view;

import java.util.List;

/**
 * Some partitions of one topic.
 *
 * @param name its name
 * @param partitionCount how many it has
 * @param more whether there are some after the last one here
 * @param partitions in order
 */
public record TopicReport(String name, int partitionCount, boolean more, List<PartitionReport> partitions) {}
