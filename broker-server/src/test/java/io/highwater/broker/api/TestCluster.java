package io.highwater.broker.api;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.LiveConfig;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/** Parts of images, and a node's configuration. */
public final class TestCluster {
    private static final Uuid DIRECTORY = new Uuid(1, 1);

    private TestCluster() {}

    /** The configuration of node 1 with these settings over the smallest. */
    public static LiveConfig config(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of(
                "process.roles", "broker,controller",
                "node.id", "1",
                "log.dirs", "/data",
                "listeners", "PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093",
                "controller.listener.names", "CONTROLLER",
                "controller.quorum.voters", "1@127.0.0.1:9093"));
        all.putAll(settings);
        return new LiveConfig(BrokerConfig.of(all));
    }

    /** A broker on the host {@code hID} with these listeners, all on port 9092. */
    public static BrokerView broker(int id, boolean fenced, String... listeners) {
        Map<String, Endpoint> endpoints = new HashMap<>();
        for (String listener : listeners) {
            endpoints.put(listener, new Endpoint(listener, SecurityProtocol.PLAINTEXT, "h" + id, 9092));
        }
        return new BrokerView(id, 1, Uuid.randomUuid(), fenced, false, "r" + id, endpoints, List.of(DIRECTORY));
    }

    /** A topic whose partitions all live on these brokers; the first of them leads. */
    public static TopicView topic(String name, int partitions, Integer... replicas) {
        Uuid id = new Uuid(7, name.hashCode());
        List<PartitionView> views = new ArrayList<>();
        for (int index = 0; index < partitions; index++) {
            views.add(partition(name, id, index, replicas[0], List.of(replicas)));
        }
        return new TopicView(name, id, views);
    }

    /** One partition, all replicas in sync, leader epoch 5. */
    public static PartitionView partition(String topic, Uuid id, int index, int leader, List<Integer> replicas) {
        return new PartitionView(
                topic,
                id,
                index,
                leader,
                5,
                1,
                replicas,
                replicas,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Collections.nCopies(replicas.size(), DIRECTORY),
                false);
    }
}
