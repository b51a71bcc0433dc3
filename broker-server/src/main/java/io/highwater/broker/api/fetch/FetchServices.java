package io.highwater.broker.api.fetch;

import io.highwater.broker.disk.DiskWorkers;
import io.highwater.broker.metrics.TrafficMetrics;
import io.highwater.broker.metrics.WaitMetrics;
import io.highwater.broker.partition.Deadlines;
import io.highwater.broker.partition.Partitions;
import io.highwater.broker.partition.ReplicationThrottle;
import io.highwater.controlplane.ClusterImage;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * What all fetches share.
 *
 * @param partitions to read from
 * @param image the newest: who leads, for readers that ask the wrong broker
 * @param deadlines of parked fetches
 * @param disk warms what is cold
 * @param maxBytes {@code fetch.max.bytes}: more than this is never answered, but for a single larger batch
 * @param readReplicas which replica a consumer had better read from
 * @param throttle of what leaders give to followers that are not in sync
 * @param traffic counts what followers are given; what consumers read is counted by partition
 * @param waits counts those that wait
 * @param here asked on a connection's event loop for something that runs tasks on that loop
 */
public record FetchServices(
        Partitions partitions,
        Supplier<ClusterImage> image,
        Deadlines deadlines,
        DiskWorkers disk,
        IntSupplier maxBytes,
        ReadReplicas readReplicas,
        ReplicationThrottle throttle,
        TrafficMetrics traffic,
        WaitMetrics waits,
        Supplier<Executor> here) {}
