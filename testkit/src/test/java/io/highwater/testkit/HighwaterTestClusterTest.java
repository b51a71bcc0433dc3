package io.highwater.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.broker.boot.StartRefusedException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HighwaterTestClusterTest {
    @Test
    void aRecordThatWasWrittenIsRead() {
        try (HighwaterTestCluster cluster = HighwaterTestCluster.builder().start()) {
            cluster.createTopic("orders", 1);

            Clients.write(cluster, "orders", "a", "b");

            assertThat(Clients.read(cluster, "orders", 2)).containsExactly("a", "b");
        }
    }

    @Test
    void recordsTopicsAndTheAddressOutliveARestart() {
        try (HighwaterTestCluster cluster = HighwaterTestCluster.builder().start()) {
            String address = cluster.bootstrapServers();
            cluster.createTopic("orders", 1);
            Clients.write(cluster, "orders", "before");

            cluster.broker(1).restart();

            Clients.write(cluster, "orders", "after");
            assertThat(cluster.bootstrapServers()).isEqualTo(address);
            assertThat(Clients.read(cluster, "orders", 2)).containsExactly("before", "after");
        }
    }

    @Test
    void severalRunSideBySide() {
        try (HighwaterTestCluster one = HighwaterTestCluster.builder().start();
                HighwaterTestCluster other = HighwaterTestCluster.builder().start()) {
            one.createTopic("orders", 1);
            other.createTopic("orders", 1);

            Clients.write(one, "orders", "one");
            Clients.write(other, "orders", "other");

            assertThat(Clients.read(one, "orders", 1)).containsExactly("one");
            assertThat(Clients.read(other, "orders", 1)).containsExactly("other");
        }
    }

    @Test
    void severalBrokersAreOneClusterThatOutlivesOneOfThem() throws Exception {
        try (HighwaterTestCluster cluster =
                HighwaterTestCluster.builder().brokers(3).start()) {
            assertThat(cluster.admin().describeCluster().nodes().get()).hasSize(3);

            cluster.broker(1).stop();
            cluster.createTopic("orders", 2);
            cluster.broker(1).start();

            assertThat(Clients.partitionCount(cluster, "orders")).isEqualTo(2);
        }
    }

    @Test
    void oneBrokerThatCannotStartEndsTheStartOfAll(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("broker-2"), "in the way");
        HighwaterTestCluster.Builder cluster =
                HighwaterTestCluster.builder().brokers(3).directory(directory);

        assertThatThrownBy(cluster::start)
                .isInstanceOf(StartRefusedException.class)
                .hasStackTraceContaining("not a directory");
    }

    @Test
    void settingsReachTheBroker() {
        try (HighwaterTestCluster cluster =
                HighwaterTestCluster.builder().config("num.partitions", "7").start()) {
            Clients.write(cluster, "made-by-use", "a");

            assertThat(Clients.partitionCount(cluster, "made-by-use")).isEqualTo(7);
        }
    }

    @Test
    void aDirectoryThatWasGivenStaysAndIsLocked(@TempDir Path directory) {
        try (HighwaterTestCluster cluster =
                HighwaterTestCluster.builder().directory(directory).start()) {
            String logs = cluster.broker(1).directory().toString();
            HighwaterTestCluster.Builder second = HighwaterTestCluster.builder().directory(directory);

            assertThatThrownBy(second::start)
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining(logs, "locked");
        }

        assertThat(directory).isNotEmptyDirectory();
    }

    @Test
    void nothingIsLeftOfThreeBrokersWhateverBecameOfThem() {
        useThree();
        List<String> threadsBefore = Leftovers.threads();
        List<String> filesBefore = Leftovers.openFiles();

        useThree();

        Leftovers.awaitNoneBut(threadsBefore, Leftovers::threads);
        Leftovers.awaitNoneBut(filesBefore, Leftovers::openFiles);
    }

    /** Kills one broker, closes while another is paused, a way is cut and requests are held. */
    private static void useThree() {
        try (HighwaterTestCluster cluster =
                HighwaterTestCluster.builder().brokers(3).start()) {
            cluster.createTopic("orders", 3);
            Clients.write(cluster, "orders", "a", "b");
            cluster.broker(1).kill();
            cluster.broker(1).start();
            cluster.broker(2).kill();
            cluster.cut(1, 3);
            cluster.broker(3).requests(ApiKeys.API_VERSIONS).hold();
            cluster.broker(3).pause();
        }
    }

    @Test
    void nothingIsLeftOfAClosedCluster() {
        // What the JVM and its libraries keep for good is there after the first.
        use();
        List<String> threadsBefore = Leftovers.threads();
        List<String> filesBefore = Leftovers.openFiles();

        TestBroker broker = use();

        Leftovers.awaitNoneBut(threadsBefore, Leftovers::threads);
        Leftovers.awaitNoneBut(filesBefore, Leftovers::openFiles);
        assertThat(broker.directory().getParent()).doesNotExist();
        assertThatThrownBy(() -> connect(broker)).isInstanceOf(ConnectException.class);
    }

    /** Runs a cluster through all that it is for, and closes it. */
    private static TestBroker use() {
        try (HighwaterTestCluster cluster = HighwaterTestCluster.builder().start()) {
            cluster.createTopic("orders", 3);
            Clients.write(cluster, "orders", "a");
            Clients.read(cluster, "orders", 1);
            return cluster.broker(1);
        }
    }

    private static void connect(TestBroker broker) throws IOException {
        int port = Integer.parseInt(broker.address().substring(broker.address().indexOf(':') + 1));
        new Socket(InetAddress.getLoopbackAddress(), port).close();
    }
}
