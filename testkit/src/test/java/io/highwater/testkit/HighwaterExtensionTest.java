package io.highwater.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

@HighwaterCluster(config = {"num.partitions=2", "auto.create.topics.enable=false"})
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HighwaterExtensionTest {
    @Test
    @Order(1)
    void givesTheClusterAndItsAddress(HighwaterTestCluster cluster, @BootstrapServers String servers) {
        cluster.createTopic("shared", 1);

        assertThat(servers).isEqualTo(cluster.bootstrapServers()).startsWith("127.0.0.1:");
    }

    @Test
    @Order(2)
    void allTestsOfAClassShareOne(HighwaterTestCluster cluster) {
        assertThat(Clients.partitionCount(cluster, "shared")).isEqualTo(1);
    }

    @Test
    @Order(3)
    @HighwaterCluster
    void aTestMayHaveItsOwn(HighwaterTestCluster cluster) throws Exception {
        assertThat(cluster.admin().listTopics().names().get()).isEmpty();
    }
}
