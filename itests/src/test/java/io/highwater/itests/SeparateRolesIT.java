package io.highwater.itests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highwater.broker.boot.Broker;
import io.highwater.broker.boot.StopRequest;
import io.highwater.broker.config.BrokerConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.RaftVoterEndpoint;
import org.apache.kafka.common.Uuid;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are only controllers or only brokers, and a quorum that begins with one voter and grows. */
class SeparateRolesIT {
    private final Deque<Broker> running = new ArrayDeque<>();
    private final String clusterId = Uuid.randomUuid().toString();

    @TempDir
    Path directory;

    @AfterEach
    void stopTheLastFirst() {
        running.forEach(Broker::stop);
    }

    @Test
    void aQuorumGrowsAndOutlivesItsFirstVoterWhileTheBrokersServe() throws Exception {
        List<Integer> ports = Ports.free(5);
        String controllers = "127.0.0.1:" + ports.get(0) + ",127.0.0.1:" + ports.get(1) + ",127.0.0.1:" + ports.get(2);
        Broker first = controller(
                10, ports.get(0), Map.of("controller.quorum.bootstrap.servers", "127.0.0.1:" + ports.get(0)));
        controller(11, ports.get(1), Map.of("controller.quorum.bootstrap.servers", controllers));
        controller(
                12,
                ports.get(2),
                Map.of(
                        "controller.quorum.bootstrap.servers",
                        controllers,
                        "controller.quorum.auto.join.enable",
                        "true"));
        broker(1, ports.get(3), controllers);
        broker(2, ports.get(4), controllers);
        String servers = "127.0.0.1:" + ports.get(3) + ",127.0.0.1:" + ports.get(4);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            soon().until(() -> voters(admin).equals(Set.of(10, 12)));
            admin.addRaftVoter(
                            11,
                            observer(admin, 11).replicaDirectoryId(),
                            Set.of(new RaftVoterEndpoint("CONTROLLER", "127.0.0.1", ports.get(1))))
                    .all()
                    .get();
            assertThat(voters(admin)).containsExactlyInAnyOrder(10, 11, 12);

            first.stop();
            running.remove(first);

            soon().ignoreExceptions().until(() -> quorum(admin).leaderId() != 10);
            admin.createTopics(List.of(new NewTopic("grown", 2, (short) 2)))
                    .all()
                    .get();
            Clients.writeNumbered(servers, "grown", 0, 10, Map.of());
            assertThat(Clients.readValues(servers, "grown")).hasSize(10);
        }
    }

    private void broker(int id, int port, String controllers) {
        start(
                id,
                Map.of(
                        "process.roles",
                        "broker",
                        "listeners",
                        "PLAINTEXT://127.0.0.1:" + port,
                        "controller.quorum.bootstrap.servers",
                        controllers));
    }

    private Broker controller(int id, int port, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("process.roles", "controller");
        settings.put("listeners", "CONTROLLER://127.0.0.1:" + port);
        return start(id, settings);
    }

    private Broker start(int id, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("node.id", Integer.toString(id));
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("log.dirs", directory.resolve("node-" + id).toString());
        settings.put("highwater.cluster.id", clusterId);
        settings.put("highwater.http.port", "-1");
        settings.put("controller.quorum.election.timeout.ms", "300");
        settings.put("controller.quorum.fetch.timeout.ms", "1000");
        Broker started = Broker.start(BrokerConfig.of(settings), "a test", new StopRequest());
        running.push(started);
        return started;
    }

    private static QuorumInfo quorum(Admin admin) throws ExecutionException, InterruptedException {
        return admin.describeMetadataQuorum().quorumInfo().get();
    }

    private static Set<Integer> voters(Admin admin) throws ExecutionException, InterruptedException {
        return Set.copyOf(quorum(admin).voters().stream()
                .map(QuorumInfo.ReplicaState::replicaId)
                .toList());
    }

    private static QuorumInfo.ReplicaState observer(Admin admin, int id)
            throws ExecutionException, InterruptedException {
        return quorum(admin).observers().stream()
                .filter(each -> each.replicaId() == id)
                .findFirst()
                .orElseThrow();
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }
}
