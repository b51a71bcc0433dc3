package io.highwater.itests.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An upgrade as operators do it: one broker after the other is stopped in order and started again, under load. */
class RollingRestartIT {
    private static final String TOPIC = "rolling";
    private static final int PARTITIONS = 6;
    private static final int RATE = 1_000;
    private static final long LONGEST_MS = 1_000;

    @Test
    void noSendFailsAndNoPartitionIsLeaderlessForASecond(@TempDir Path directory) throws Exception {
        try (Cluster cluster = new Cluster(directory);
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            cluster.awaitBrokers(admin);
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) Cluster.SIZE)
                            .configs(Map.of("min.insync.replicas", "2"))))
                    .all()
                    .get();
            Load load = new Load(cluster.bootstrapServers(), TOPIC, PARTITIONS, RATE);
            LeaderWatch watch = new LeaderWatch(cluster.bootstrapServers(), TOPIC);
            load.start();
            try (watch) {
                for (Node node : cluster.nodes()) {
                    load.awaitMore(2 * RATE);
                    node.stop();
                    node.start();
                    Conditions.awaitFullIsr(admin, TOPIC);
                }
                load.awaitMore(2 * RATE);
            }
            load.stop();
            Ledger.Findings findings = load.readBack();

            System.out.printf(
                    "rolling restart: %s; longest leaderless %d ms in %d looks; longest silence %d ms%n",
                    findings, watch.longestLeaderlessMs(), watch.answers(), load.longestSilenceMs());
            assertThat(findings.failed()).as("failed sends").isZero();
            assertThat(List.of(findings.lost(), findings.duplicated(), findings.reordered(), findings.ghosts()))
                    .as("%s", findings)
                    .containsOnly(0L);
            assertThat(findings.stored()).isEqualTo(findings.sent());
            assertThat(watch.answers()).as("looks at the leaders").isGreaterThan(50);
            assertThat(watch.longestLeaderlessMs()).isLessThan(LONGEST_MS);
        }
    }
}
