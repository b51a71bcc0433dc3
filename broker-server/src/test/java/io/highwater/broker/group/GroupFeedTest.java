package io.highwater.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.coordination.group.Caller;
import io.highwater.coordination.group.GroupCoordination;
import io.highwater.coordination.group.OffsetsPartitions;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What groups hear of partitions, over the real coordinator and empty logs. */
class GroupFeedTest {
    private static final int PARTITIONS = 3;

    private final GroupCoordination groups = new GroupCoordination(1, Map.of(), new EmptyLogs());
    private final GroupFeed feed = new GroupFeed(groups);

    @BeforeEach
    void start() {
        groups.startup(PARTITIONS);
        assertThat(ask(0)).isEqualTo(Errors.NOT_COORDINATOR);
    }

    @AfterEach
    void close() {
        groups.close();
    }

    @Test
    void noGroupIsServedUntilAllRolesOfAnImageAreGiven() {
        feed.onLeading(offsets(0), 1);
        feed.onLeading(offsets(1), 1);
        assertThat(ask(0)).isEqualTo(Errors.NOT_COORDINATOR);

        feed.onRolesGiven();

        assertThat(List.of(ask(0), ask(1))).containsOnly(Errors.NONE);
        assertThat(ask(2)).as("its replica could not be had").isEqualTo(Errors.NOT_COORDINATOR);
    }

    @Test
    void whatIsLostBeforeItWasToldIsNotTold() {
        feed.onLeading(offsets(0), 1);
        feed.onLeading(offsets(1), 1);
        feed.onRemoved(offsets(0));
        feed.onFollowing(offsets(1), 2);

        feed.onRolesGiven();

        assertThat(List.of(ask(0), ask(1))).containsOnly(Errors.NOT_COORDINATOR);
    }

    private Errors ask(int partition) {
        String group = String.valueOf((char) ('0' + partition)); // its hash is 48 and more, and 48 is a multiple of 3
        assertThat(GroupCoordination.partitionFor(group, PARTITIONS)).isEqualTo(partition);
        Caller caller = new Caller(
                ApiKeys.OFFSET_FETCH,
                (short) 9,
                "client",
                InetAddress.getLoopbackAddress(),
                KafkaPrincipal.ANONYMOUS,
                "PLAINTEXT",
                SecurityProtocol.PLAINTEXT,
                0);
        return Errors.forCode(groups.fetchOffsets(caller, new OffsetFetchRequestGroup().setGroupId(group), false)
                .orTimeout(20, TimeUnit.SECONDS)
                .join()
                .errorCode());
    }

    private static TopicPartition offsets(int partition) {
        return new TopicPartition(Topic.GROUP_METADATA_TOPIC_NAME, partition);
    }

    private static final class EmptyLogs implements OffsetsPartitions {
        @Override
        public long append(int partition, int leaderEpoch, MemoryRecords batch) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MemoryRecords read(int partition, int leaderEpoch, long offset, int maxBytes) {
            return MemoryRecords.EMPTY;
        }

        @Override
        public Extent extent(int partition, int leaderEpoch) {
            return new Extent(0, 0, 0);
        }

        @Override
        public int maxBatchBytes(int partition) {
            return 1 << 20;
        }

        @Override
        public void listen(int partition, CommitListener listener) {}

        @Override
        public void unlisten(int partition, CommitListener listener) {}
    }
}
