package io.highwater.broker.boot;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.controlplane.ControlPlaneException;
import io.highwater.controlplane.NodeFormat;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Looks for what would keep a broker from starting, and leaves everything as it is. */
final class Checks {
    private Checks() {}

    /** One sentence per finding. */
    static List<String> run(BrokerConfig config) {
        List<String> findings = new ArrayList<>();
        try (HeldPorts ports = HeldPorts.of(config)) {
            assert !ports.byListener().isEmpty();
        } catch (StartRefusedException e) {
            findings.add(Reason.of(e));
        }
        for (Path directory : config.logDirs()) {
            look(directory, findings);
            String full = DiskRoom.finding(directory, DiskRoom.LEAST_BYTES);
            if (full != null) {
                findings.add(full);
            }
        }
        try {
            NodeFormat.read(Node.settings(config));
        } catch (ControlPlaneException e) {
            if (e.reason() != ControlPlaneException.Reason.NOT_FORMATTED) {
                findings.add(Reason.of(e));
            }
        }
        return findings;
    }

    private static void look(Path directory, List<String> findings) {
        if (!Files.exists(directory)) {
            Path parent = directory;
            while (parent != null && !Files.exists(parent)) {
                parent = parent.getParent();
            }
            if (parent == null || !Files.isWritable(parent)) {
                findings.add("the log directory " + directory + " does not exist and cannot be made");
            }
        } else if (!Files.isDirectory(directory)) {
            findings.add("the log directory " + directory + " is not a directory");
        } else if (!Files.isWritable(directory)) {
            findings.add("the log directory " + directory + " cannot be written");
        } else if (isLocked(directory.resolve(".lock"))) {
            findings.add("the log directory " + directory + " is in use by another broker");
        }
    }

    private static boolean isLocked(Path lockFile) {
        if (!Files.exists(lockFile)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
