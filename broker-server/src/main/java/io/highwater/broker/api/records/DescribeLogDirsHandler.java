package io.highwater.broker.api.records;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.disk.DiskWorkers;
import io.highwater.broker.partition.ArrivingReplica;
import io.highwater.broker.partition.DirectoryView;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.Partitions;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsRequestData.DescribableLogDirTopic;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsTopic;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Tells what lies in which log directory, and how much room there is. On a disk worker. v4: room of the file systems. */
public final class DescribeLogDirsHandler implements ApiHandler<DescribeLogDirsRequestData> {
    private final Partitions partitions;
    private final DiskWorkers disk;

    /** Describes the directories of {@code partitions}. */
    public DescribeLogDirsHandler(Partitions partitions, DiskWorkers disk) {
        this.partitions = partitions;
        this.disk = disk;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, DescribeLogDirsRequestData body) {
        return disk.submit(() -> {
            DescribeLogDirsResponseData response = new DescribeLogDirsResponseData();
            for (DirectoryView directory : partitions.directories()) {
                response.results().add(describe(directory, body.topics()));
            }
            return response;
        });
    }

    private static DescribeLogDirsResult describe(
            DirectoryView directory, DescribeLogDirsRequestData.@Nullable DescribableLogDirTopicCollection wanted) {
        DescribeLogDirsResult result = new DescribeLogDirsResult()
                .setLogDir(directory.path().toAbsolutePath().toString());
        if (!directory.online()) {
            return result.setErrorCode(Errors.KAFKA_STORAGE_ERROR.code());
        }
        Map<String, DescribeLogDirsTopic> topics = new TreeMap<>();
        for (Partition partition : directory.partitions()) {
            TopicPartition name = partition.topicPartition();
            if (isWanted(name, wanted)) {
                topics.computeIfAbsent(name.topic(), topic -> new DescribeLogDirsTopic().setName(topic))
                        .partitions()
                        .add(new DescribeLogDirsPartition()
                                .setPartitionIndex(name.partition())
                                .setPartitionSize(partition.sizeBytes())
                                .setOffsetLag(Math.max(0, partition.highWatermark() - partition.logEndOffset())));
            }
        }
        for (ArrivingReplica replica : directory.arriving()) {
            TopicPartition name = replica.partition();
            if (isWanted(name, wanted)) {
                topics.computeIfAbsent(name.topic(), topic -> new DescribeLogDirsTopic().setName(topic))
                        .partitions()
                        .add(new DescribeLogDirsPartition()
                                .setPartitionIndex(name.partition())
                                .setPartitionSize(replica.sizeBytes())
                                .setOffsetLag(replica.offsetLag())
                                .setIsFutureKey(true));
            }
        }
        result.topics().addAll(topics.values());
        try {
            FileStore store = Files.getFileStore(directory.path());
            return result.setTotalBytes(store.getTotalSpace()).setUsableBytes(store.getUsableSpace());
        } catch (IOException e) {
            return result.setErrorCode(Errors.KAFKA_STORAGE_ERROR.code());
        }
    }

    private static boolean isWanted(
            TopicPartition name, DescribeLogDirsRequestData.@Nullable DescribableLogDirTopicCollection wanted) {
        if (wanted == null) {
            return true;
        }
        DescribableLogDirTopic topic = wanted.find(name.topic());
        return topic != null && topic.partitions().contains(name.partition());
    }
}
