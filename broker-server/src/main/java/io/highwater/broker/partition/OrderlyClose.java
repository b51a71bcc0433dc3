package io.highwater.broker.partition;

import io.highwater.broker.disk.DiskWorkers;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of all logs, in the order that lets the next start believe what it finds. */
final class OrderlyClose {
    private static final Logger LOG = LoggerFactory.getLogger(OrderlyClose.class);
    private static final long CLOSE_WAIT_SECONDS = 300;

    private final Hosting hosting;
    private final DiskWorkers disk;

    OrderlyClose(Hosting hosting, DiskWorkers disk) {
        this.hosting = hosting;
        this.disk = disk;
    }

    void close(long brokerEpoch) {
        List<DataDirectory> online =
                hosting.directories().stream().filter(DataDirectory::isOnline).toList();
        for (DataDirectory directory : online) {
            for (Partition partition : directory.partitions()) {
                partition.stop(Errors.NOT_LEADER_OR_FOLLOWER);
            }
        }
        for (DataDirectory directory : online) {
            try {
                close(directory, brokerEpoch);
            } catch (IOException | RuntimeException | TimeoutException e) {
                LOG.error("Log directory {} was not closed in order; its logs will be recovered", directory, e);
            }
        }
    }

    private void close(DataDirectory directory, long brokerEpoch) throws IOException, TimeoutException {
        directory.checkpointHighWatermarks();
        List<Future<Void>> closing = new ArrayList<>();
        for (Partition partition : directory.partitions()) {
            closing.add(disk.run(partition::close));
        }
        Future.all(closing).await(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS);
        directory.checkpointRecoveryPoints();
        directory.checkpointLogStarts();
        if (directory.hasUncleanUnopened()) {
            throw new IOException("it holds logs that were not closed in order before and could not be opened since");
        }
        directory.files().markCleanShutdown(brokerEpoch);
    }
}
