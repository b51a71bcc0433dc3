package io.highwater.broker.boot;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.ListenerEndpoint;
import io.highwater.controlplane.LogDirectoryIdentity;
import io.highwater.controlplane.NodeIdentity;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator wants to see once it runs: who this is, where it listens, where its data is, and what is unsafe about it.
 *
 * @param origin where the settings come from
 * @param ports by listener name, and HTTP's
 */
record StartupSummary(BrokerConfig config, String origin, NodeIdentity identity, Map<String, Integer> ports) {
    private static final Logger LOG = LoggerFactory.getLogger("io.highwater.Summary");
    private static final long GIBIBYTE = 1L << 30;
    private static final long MEBIBYTE = 1L << 20;

    /** Says it, with the time since {@code startNanos}. */
    void log(long startNanos) {
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        config.warnings().forEach(LOG::warn);
        LOG.info(String.join("\n", lines(tookMs)));
    }

    private List<String> lines(long tookMs) {
        List<String> lines = new ArrayList<>();
        lines.add("Highwater " + Version.own() + " serves after " + tookMs + " ms (" + sinceProcessStart()
                + " since the process began)");
        add(
                lines,
                "node",
                identity.nodeId() + " (" + String.join(", ", config.getList("process.roles")) + ") of cluster "
                        + identity.clusterId() + (identity.newlyFormatted() ? ", formatted just now" : ""));
        add(lines, "listeners", config.listeners().stream().map(this::listener).collect(Collectors.joining(", ")));
        Integer http = ports.get(HeldPorts.HTTP);
        if (http != null) {
            String scheme = config.isSet("highwater.http.tls.certificate") ? "https://" : "http://";
            add(lines, "http", scheme + config.httpHost() + ":" + http + "/metrics, /healthz, /readyz");
        }
        for (LogDirectoryIdentity directory : identity.directories()) {
            add(lines, "data", directory.path() + " (" + freeSpace(directory.path()) + ")");
        }
        add(lines, "settings", origin);
        add(
                lines,
                "java",
                System.getProperty("java.version") + ", heap up to "
                        + Runtime.getRuntime().maxMemory() / MEBIBYTE + " MiB");
        return lines;
    }

    private static void add(List<String> lines, String name, String value) {
        lines.add(String.format("  %-10s %s", name, value));
    }

    private String listener(ListenerEndpoint endpoint) {
        return endpoint.at(endpoint.host(), ports.getOrDefault(endpoint.name(), endpoint.port()))
                .toString();
    }

    private static String sinceProcessStart() {
        return System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime() + " ms";
    }

    private static String freeSpace(Path directory) {
        try {
            return Files.getFileStore(directory).getUsableSpace() / GIBIBYTE + " GiB free";
        } catch (IOException e) {
            return "free space unknown: " + Reason.of(e);
        }
    }
}
