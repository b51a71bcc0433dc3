package io.highwater.broker.boot;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.controlplane.ControlPlaneException;
import io.highwater.controlplane.LogDirectoryIdentity;
import io.highwater.controlplane.NodeFormat;
import io.highwater.controlplane.NodeIdentity;
import java.io.PrintStream;

/** {@code highwater format}: what a first start does by itself, for those who want to give the cluster id. */
final class FormatCommand implements Command {
    private final PrintStream out;

    FormatCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public int run(Arguments arguments) {
        BrokerConfig config = arguments.config();
        String given = arguments.clusterId();
        try {
            NodeIdentity identity = NodeFormat.format(
                    Node.settings(config), given == null ? config.getString("highwater.cluster.id") : given);
            out.println("Formatted for node " + identity.nodeId() + " of cluster " + identity.clusterId() + ":");
            for (LogDirectoryIdentity directory : identity.directories()) {
                out.println("  " + directory.path() + " (directory id " + directory.id() + ")");
            }
            return 0;
        } catch (ControlPlaneException e) {
            throw new StartRefusedException(Reason.of(e), e);
        }
    }
}
