package io.highwater.broker.partition;

import io.highwater.broker.disk.DiskWorkers;
import io.highwater.broker.metrics.Metrics;
import io.highwater.replication.Membership;
import io.highwater.storage.log.BatchValidator;

/**
 * What all partitions of a broker share.
 *
 * @param nodeId this broker
 * @param clock for records and for patience
 * @param deadlines of parked requests
 * @param disk for what may wait
 * @param validator of batches, before the lock
 * @param membership what the newest image says of brokers
 * @param controller to be asked
 * @param feed told who has to be fed
 * @param events told of what happens
 * @param metrics where is counted what happens often
 */
public record PartitionServices(
        int nodeId,
        Clock clock,
        Deadlines deadlines,
        DiskWorkers disk,
        BatchValidator validator,
        Membership membership,
        ControllerRequests controller,
        FollowerFeed feed,
        PartitionEvents events,
        Metrics metrics) {}
