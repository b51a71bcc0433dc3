package io.highwater.broker.partition;

import org.apache.kafka.common.TopicPartition;

/**
 * A replica on its way into a log directory from another one of this broker.
 *
 * @param partition whose
 * @param sizeBytes what has arrived
 * @param offsetLag how many offsets have not
 */
public record ArrivingReplica(TopicPartition partition, long sizeBytes, long offsetLag) {}
