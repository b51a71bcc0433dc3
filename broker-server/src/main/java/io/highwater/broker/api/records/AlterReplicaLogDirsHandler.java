package io.highwater.broker.api.records;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.disk.DiskWorkers;
import io.highwater.broker.partition.Partitions;
import io.vertx.core.Future;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirPartitionResult;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirTopicResult;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Starts to move replicas between the log directories of this broker and answers at once; DescribeLogDirs tells how far they are. On a disk
 * worker. All versions alike.
 */
public final class AlterReplicaLogDirsHandler implements ApiHandler<AlterReplicaLogDirsRequestData> {
    private final Partitions partitions;
    private final DiskWorkers disk;

    /** Moves replicas of {@code partitions}. */
    public AlterReplicaLogDirsHandler(Partitions partitions, DiskWorkers disk) {
        this.partitions = partitions;
        this.disk = disk;
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, AlterReplicaLogDirsRequestData body) {
        return disk.submit(() -> {
            Map<String, AlterReplicaLogDirTopicResult> results = new TreeMap<>();
            body.dirs()
                    .forEach(directory -> directory
                            .topics()
                            .forEach(topic -> topic.partitions()
                                    .forEach(index -> add(
                                            results,
                                            new TopicPartition(topic.name(), index),
                                            move(new TopicPartition(topic.name(), index), directory.path())))));
            AlterReplicaLogDirsResponseData answer = new AlterReplicaLogDirsResponseData();
            answer.results().addAll(results.values());
            return answer;
        });
    }

    private Errors move(TopicPartition partition, String directory) {
        try {
            return partitions.move(partition, Path.of(directory));
        } catch (InvalidPathException e) {
            return Errors.LOG_DIR_NOT_FOUND;
        }
    }

    private static void add(
            Map<String, AlterReplicaLogDirTopicResult> results, TopicPartition partition, Errors error) {
        results.computeIfAbsent(partition.topic(), topic -> new AlterReplicaLogDirTopicResult().setTopicName(topic))
                .partitions()
                .add(new AlterReplicaLogDirPartitionResult()
                        .setPartitionIndex(partition.partition())
                        .setErrorCode(error.code()));
    }
}
