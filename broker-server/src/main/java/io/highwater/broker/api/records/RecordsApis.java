package io.highwater.broker.api.records;

import io.highwater.broker.api.RequestRouter;
import io.highwater.broker.disk.DiskWorkers;
import io.highwater.broker.partition.Partitions;
import io.highwater.controlplane.ClusterImage;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;

/** All handlers of this package on their way into a router. */
public final class RecordsApis {
    private RecordsApis() {}

    /**
     * Adds them.
     *
     * @param image the newest
     * @param maxTransactionTimeoutMs {@code transaction.max.timeout.ms}
     */
    public static void addTo(
            RequestRouter.Builder router,
            Partitions partitions,
            Supplier<ClusterImage> image,
            DiskWorkers disk,
            ProducerIds producerIds,
            IntSupplier maxTransactionTimeoutMs) {
        router.handle(ApiKeys.PRODUCE, ProduceRequestData.class, new ProduceHandler(partitions, image))
                .handle(ApiKeys.LIST_OFFSETS, ListOffsetsRequestData.class, new ListOffsetsHandler(partitions, disk))
                .handle(
                        ApiKeys.OFFSET_FOR_LEADER_EPOCH,
                        OffsetForLeaderEpochRequestData.class,
                        new OffsetForLeaderEpochHandler(partitions))
                .handle(ApiKeys.DELETE_RECORDS, DeleteRecordsRequestData.class, new DeleteRecordsHandler(partitions))
                .handle(
                        ApiKeys.DESCRIBE_PRODUCERS,
                        DescribeProducersRequestData.class,
                        new DescribeProducersHandler(partitions))
                .handle(
                        ApiKeys.DESCRIBE_LOG_DIRS,
                        DescribeLogDirsRequestData.class,
                        new DescribeLogDirsHandler(partitions, disk))
                .handle(
                        ApiKeys.ALTER_REPLICA_LOG_DIRS,
                        AlterReplicaLogDirsRequestData.class,
                        new AlterReplicaLogDirsHandler(partitions, disk))
                .handle(
                        ApiKeys.INIT_PRODUCER_ID,
                        InitProducerIdRequestData.class,
                        new InitProducerIdHandler(producerIds, maxTransactionTimeoutMs));
    }
}
