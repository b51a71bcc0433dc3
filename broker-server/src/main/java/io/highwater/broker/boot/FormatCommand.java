package io.highwater.broker.boot;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.controlplane.ControlPlaneException;
import io.highwater.controlplane.LogDirectoryIdentity;
import io.highwater.controlplane.NodeFormat;
import io.highwater.controlplane.NodeIdentity;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code highwater format}: what a first start does by itself, for those who want to give the cluster id. */
@Command(
        name = "format",
        description = "Prepare empty log directories for a broker, without starting it.",
        mixinStandardHelpOptions = true)
final class FormatCommand implements Callable<Integer> {
    @Mixin
    private final SettingsOptions options = new SettingsOptions();

    @Option(
            names = {"-t", "--cluster-id"},
            paramLabel = "ID",
            description = "The cluster to join, as the other nodes were formatted; without it a new one.")
    private @Nullable String clusterId;

    @Override
    public Integer call() {
        BrokerConfig config = options.read();
        String id = clusterId != null ? clusterId : config.getString("highwater.cluster.id");
        try {
            NodeIdentity identity = NodeFormat.format(Node.settings(config), id);
            System.out.println("Formatted for node " + identity.nodeId() + " of cluster " + identity.clusterId() + ":");
            for (LogDirectoryIdentity directory : identity.directories()) {
                System.out.println("  " + directory.path() + " (directory id " + directory.id() + ")");
            }
            return 0;
        } catch (ControlPlaneException e) {
            throw new StartRefusedException(Reason.of(e), e);
        }
    }
}
