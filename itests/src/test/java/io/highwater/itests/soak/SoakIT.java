package io.highwater.itests.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three brokers, a producer with acks=all, a consumer, and something breaks all the time: nothing acknowledged is lost, nothing is there twice or in
 * another order, and no reader has seen what is not there in the end. Short in every build; the profile {@code soak} runs for half an hour.
 */
class SoakIT {
    private static final String TOPIC = "soak";
    private static final int PARTITIONS = 6;
    private static final int RATE = Integer.getInteger("highwater.soak.rate", 1_000);
    private static final int FAULTS = Integer.getInteger("highwater.soak.faults", 4);
    private static final Duration PERIOD = Duration.ofSeconds(Integer.getInteger("highwater.soak.period", 6));
    private static final long SEED = Long.getLong("highwater.soak.seed", 1);

    @Test
    void nothingIsLostDuplicatedReorderedOrAGhost(@TempDir Path directory) throws Exception {
        try (Cluster cluster = new Cluster(directory);
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            cluster.awaitBrokers(admin);
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) Cluster.SIZE)
                            .configs(Map.of("min.insync.replicas", "2"))))
                    .all()
                    .get();
            Load load = new Load(cluster.bootstrapServers(), TOPIC, PARTITIONS, RATE);
            Weather weather = new Weather(cluster, SEED, PERIOD);
            load.start();
            weather.blow(FAULTS);
            load.stop();
            Conditions.awaitFullIsr(admin, TOPIC);
            Ledger.Findings findings = load.readBack();
            cluster.nodes().forEach(Node::stop);
            int differing = differingLogs(cluster);

            report(findings, weather, load, differing);
            assertThat(List.of(findings.lost(), findings.duplicated(), findings.reordered(), findings.ghosts(), (long)
                            differing))
                    .as("lost, duplicated, reordered, ghosts, logs that differ; %s", findings)
                    .containsOnly(0L);
            assertThat(findings.failed()).as("sends that failed").isZero();
            assertThat(findings.acknowledged()).isEqualTo(findings.sent()).isEqualTo(findings.stored());
            assertThat(findings.seen()).as("read along").isPositive();
        }
    }

    /** In how many partitions not all replicas hold the same bytes. Everything is committed, and the nodes are stopped. */
    private static int differingLogs(Cluster cluster) throws IOException {
        int differing = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            String name = TOPIC + "-" + partition;
            Path whole = concatenated(cluster.nodes().get(0).data().resolve(name));
            for (Node node : cluster.nodes()) {
                if (Files.mismatch(whole, concatenated(node.data().resolve(name))) != -1) {
                    differing++;
                }
            }
        }
        return differing;
    }

    /** The segments of a replica in one file: where they are cut is each replica's own affair. */
    private static Path concatenated(Path replica) throws IOException {
        Path whole = replica.resolve("whole");
        Files.deleteIfExists(whole);
        try (Stream<Path> files = Files.list(replica);
                var out = Files.newOutputStream(whole)) {
            for (Path segment : files.filter(one -> one.toString().endsWith(".log"))
                    .sorted()
                    .toList()) {
                Files.copy(segment, out);
            }
        }
        return whole;
    }

    private static void report(Ledger.Findings findings, Weather weather, Load load, int differing) throws IOException {
        String text = """
            # A soak of three brokers

            %d records/s of 100 bytes, acks=all, idempotent, %d partitions, replication factor 3, min.insync.replicas 2; a fault every %d s, seed %d.

            | | records |
            | --- | ---: |
            | sent | %d |
            | acknowledged | %d |
            | failed | %d |
            | read along by a consumer | %d |
            | stored in the end | %d |
            | **lost** | %d |
            | **duplicated** | %d |
            | **reordered** | %d |
            | **ghosts** (read along, not there in the end) | %d |

            Replicas whose `.log` bytes differ from the first one's: %d. Longest time without an acknowledgement: %d ms.

            ```
            %s
            ```
            """.formatted(
                        RATE,
                        PARTITIONS,
                        PERIOD.toSeconds(),
                        SEED,
                        findings.sent(),
                        findings.acknowledged(),
                        findings.failed(),
                        findings.seen(),
                        findings.stored(),
                        findings.lost(),
                        findings.duplicated(),
                        findings.reordered(),
                        findings.ghosts(),
                        differing,
                        load.longestSilenceMs(),
                        String.join("\n", weather.log()));
        Files.writeString(Path.of("target", "soak-report.md"), text);
        System.out.println(text);
    }
}
