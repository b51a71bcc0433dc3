package io.highwater.itests.measure;

import io.highwater.itests.Scrape;
import io.highwater.itests.soak.Cluster;
import io.highwater.itests.soak.Conditions;
import io.highwater.itests.soak.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;

/** Three brokers in processes of their own, and what they cost. CPU is user and system time of a whole process. For one thread. */
final class Bench implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final Cluster cluster;
    private final Admin admin;

    /** @param settings lines that all brokers have besides the usual */
    Bench(Path directory, String settings) {
        cluster = Cluster.direct(directory, settings);
        admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
        cluster.awaitBrokers(admin);
    }

    String servers() {
        return cluster.bootstrapServers();
    }

    Admin admin() {
        return admin;
    }

    Node node(int id) {
        return cluster.nodes().get(id - 1);
    }

    Scrape scrape(int id) {
        return Scrape.at(cluster.httpPort(id));
    }

    /** Returns when all replicas are there and follow: in sync they are by decree. */
    void createTopic(String name, int partitions, Map<String, String> configs, Integer... replicas) throws Exception {
        Map<Integer, List<Integer>> assignment = new HashMap<>();
        Collections.nCopies(partitions, List.of(replicas)).forEach(each -> assignment.put(assignment.size(), each));
        admin.createTopics(List.of(new NewTopic(name, assignment).configs(configs)))
                .all()
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        String ofTopic = "{topic=\"" + name + "\"";
        Awaitility.await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> {
            for (int id : replicas) {
                if (values(id, "kafka_log_log_size" + ofTopic).size() < partitions) {
                    return false;
                }
            }
            return values(replicas[0], "highwater_follower_lag_records" + ofTopic).stream()
                    .allMatch(lag -> lag == 0);
        });
    }

    private List<Double> values(int id, String prefix) {
        return scrape(id).series().entrySet().stream()
                .filter(each -> each.getKey().startsWith(prefix))
                .map(Map.Entry::getValue)
                .toList();
    }

    void awaitIsr(String topic, int size) {
        Conditions.awaitIsr(admin, topic, size);
    }

    void set(ConfigResource.Type type, String name, Map<String, String> settings)
            throws ExecutionException, InterruptedException {
        List<AlterConfigOp> changes = settings.entrySet().stream()
                .map(each ->
                        new AlterConfigOp(new ConfigEntry(each.getKey(), each.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        admin.incrementalAlterConfigs(Map.of(new ConfigResource(type, name), changes))
                .all()
                .get();
    }

    /** A broker that does not lead the quorum, so that its death is a broker's and nothing else. */
    int notTheController() throws ExecutionException, InterruptedException {
        int controller = admin.describeMetadataQuorum().quorumInfo().get().leaderId();
        return IntStream.rangeClosed(1, Cluster.SIZE)
                .filter(id -> id != controller)
                .findFirst()
                .orElseThrow();
    }

    double cpuSeconds(int id) {
        return scrape(id).value("process_cpu_seconds_total");
    }

    /** CPU time of the event loops alone. */
    double loopSeconds(int id) {
        return scrape(id).sum("highwater_event_loop_busy_seconds_total");
    }

    /** What is alive on the heap, and all direct buffers. */
    double liveMiB(int id) {
        collectGarbage(id);
        Scrape scrape = scrape(id);
        return (scrape.value("jvm_memory_used_bytes{area=\"heap\"}")
                        + scrape.value("jvm_buffer_pool_used_bytes{pool=\"direct\"}"))
                / (1 << 20);
    }

    private void collectGarbage(int id) {
        try {
            Process jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(node(id).pid()),
                            "GC.run")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!jcmd.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || jcmd.exitValue() != 0) {
                throw new AssertionError("no garbage collection on node " + id);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        admin.close();
        cluster.close();
    }
}
