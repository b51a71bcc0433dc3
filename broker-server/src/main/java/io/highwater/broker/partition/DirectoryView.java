package io.highwater.broker.partition;

import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.Uuid;

/**
 * A log directory as an administrator sees it.
 *
 * @param path where it is
 * @param id its directory id
 * @param online whether it works
 * @param partitions those in it
 * @param arriving those on their way into it
 */
public record DirectoryView(
        Path path, Uuid id, boolean online, List<Partition> partitions, List<ArrivingReplica> arriving) {}
