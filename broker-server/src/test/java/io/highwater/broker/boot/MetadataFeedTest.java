package io.highwater.broker.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.api.TestCluster;
import io.highwater.broker.metrics.TopicTraffic;
import io.highwater.broker.metrics.TrafficMetrics;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ImageChange;
import io.highwater.controlplane.TopicView;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetadataFeedTest {
    private final TrafficMetrics traffic = new TrafficMetrics();

    @Test
    void aTopicThatIsGoneIsNotCountedAnyMore() {
        TopicTraffic counted = traffic.topic("orders");

        MetadataFeed.forgetTraffic(deleted("orders", ClusterImage.empty()), traffic);

        assertThat(traffic.topic("orders")).isNotSameAs(counted);
    }

    @Test
    void whatCountsForATopicThatWasCreatedAgainIsStillThere() {
        TopicTraffic counted = traffic.topic("orders");
        ClusterImage after =
                ClusterImage.builder().topic(TestCluster.topic("orders", 1, 1)).build();

        MetadataFeed.forgetTraffic(deleted("orders", after), traffic);

        assertThat(traffic.topic("orders")).isSameAs(counted);
    }

    private static ImageChange deleted(String name, ClusterImage after) {
        TopicView old = TestCluster.topic(name, 1, 1);
        return new ImageChange(ClusterImage.empty(), after, List.of(old), List.of(), Set.of(), Set.of(), false, false);
    }
}
