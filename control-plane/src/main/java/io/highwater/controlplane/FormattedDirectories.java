package io.highwater.controlplane;

import io.highwater.controlplane.ControlPlaneException.Reason;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.properties.MetaProperties;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.raft.DynamicVoter;
import org.apache.kafka.raft.DynamicVoters;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;

/** What the {@code meta.properties} of a node's directories say, and the writing of missing ones. */
final class FormattedDirectories {
    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "::1");

    private final NodeSettings settings;
    private final StaticConfig config;
    private final MetaPropertiesEnsemble found;

    private FormattedDirectories(NodeSettings settings, StaticConfig config, MetaPropertiesEnsemble found) {
        this.settings = settings;
        this.config = config;
        this.found = found;
    }

    static FormattedDirectories load(NodeSettings settings) {
        StaticConfig config = new StaticConfig(settings.properties());
        MetaPropertiesEnsemble.Loader loader = new MetaPropertiesEnsemble.Loader();
        loader.addLogDirs(texts(settings.logDirectories()));
        loader.addMetadataLogDir(settings.metadataLogDirectory().toString());
        try {
            FormattedDirectories directories = new FormattedDirectories(settings, config, loader.load());
            directories.check();
            return directories;
        } catch (IOException failed) {
            throw new ControlPlaneException(Reason.DISK, "cannot read meta.properties: " + failed.getMessage(), failed);
        }
    }

    private void check() {
        String metadataDirectory = settings.metadataLogDirectory().toString();
        if (found.errorLogDirs().contains(metadataDirectory)) {
            throw new ControlPlaneException(
                    Reason.DISK, "the metadata log's directory " + metadataDirectory + " cannot be read");
        }
        String clusterId = null;
        Set<Uuid> ids = new TreeSet<>();
        for (Map.Entry<String, MetaProperties> directory : found.logDirProps().entrySet()) {
            MetaProperties owner = directory.getValue();
            String path = directory.getKey();
            OptionalInt nodeId = owner.nodeId();
            if (nodeId.isPresent() && nodeId.getAsInt() != settings.nodeId()) {
                throw foreign(path + " belongs to node " + nodeId.getAsInt() + ", but node.id is " + settings.nodeId());
            }
            String itsCluster = owner.clusterId()
                    .orElseThrow(() -> foreign(path + " has a meta.properties without cluster.id; format it anew"));
            if (clusterId != null && !clusterId.equals(itsCluster)) {
                throw foreign(path + " belongs to cluster " + itsCluster + ", its neighbours to cluster " + clusterId);
            }
            clusterId = itsCluster;
            if (owner.directoryId().isPresent() && !ids.add(owner.directoryId().get())) {
                throw foreign(path + " has the same directory.id as another directory: "
                        + owner.directoryId().get());
            }
        }
    }

    /** Whether every readable directory is formatted. */
    boolean complete() {
        return found.emptyLogDirs().isEmpty();
    }

    void requireUnformatted() {
        if (!found.logDirProps().isEmpty()) {
            throw new ControlPlaneException(
                    Reason.FOREIGN_DIRECTORY,
                    "already formatted: "
                            + String.join(
                                    ", ", new TreeSet<>(found.logDirProps().keySet())));
        }
    }

    /** What a first start without a format command should assume. */
    InitialVoters likelyVoters() {
        if (!settings.isController()) {
            return InitialVoters.joining();
        }
        List<InetSocketAddress> servers = config.quorumBootstrapServers();
        boolean alone = servers.isEmpty()
                || (servers.size() == 1
                        && settings.quorumEndpoint()
                                .filter(own -> same(own, servers.get(0)))
                                .isPresent());
        return alone ? InitialVoters.standalone() : InitialVoters.joining();
    }

    private static boolean same(Endpoint own, InetSocketAddress server) {
        return own.port() == server.getPort()
                && (own.host().equals(server.getHostString()) || LOOPBACK_NAMES.contains(server.getHostString()));
    }

    NodeIdentity identity(boolean newlyFormatted) {
        Set<String> empty = new TreeSet<>(found.emptyLogDirs());
        if (!empty.isEmpty()) {
            throw new ControlPlaneException(Reason.NOT_FORMATTED, "not formatted: " + String.join(", ", empty));
        }
        String clusterId = found.clusterId()
                .orElseThrow(() -> new ControlPlaneException(Reason.DISK, "no log directory can be read"));
        List<LogDirectoryIdentity> directories = new ArrayList<>();
        List<Path> failed = new ArrayList<>();
        for (Path path : settings.allDirectories()) {
            MetaProperties properties = found.logDirProps().get(path.toString());
            if (properties == null) {
                failed.add(path);
            } else {
                Uuid id = properties
                        .directoryId()
                        .orElseThrow(() -> foreign(path + " has a meta.properties without directory.id"));
                directories.add(new LogDirectoryIdentity(path, id));
            }
        }
        return new NodeIdentity(clusterId, settings.nodeId(), directories, failed, newlyFormatted);
    }

    /** Formats the empty directories and reads all of them again. */
    NodeIdentity format(@Nullable String wishedClusterId, InitialVoters voters) {
        boolean first = found.logDirProps().isEmpty();
        String metadataDirectory = settings.metadataLogDirectory().toString();
        if (!first && found.emptyLogDirs().contains(metadataDirectory)) {
            // Formatting it would start a second history of the same cluster.
            throw new ControlPlaneException(
                    Reason.NOT_FORMATTED,
                    "the metadata log's directory " + metadataDirectory
                            + " is empty although other directories of this node are formatted");
        }
        String clusterId = found.clusterId()
                .orElseGet(() -> wishedClusterId == null ? Uuid.randomUuid().toString() : wishedClusterId);
        if (wishedClusterId != null && !wishedClusterId.equals(clusterId)) {
            throw foreign("the directories belong to cluster " + clusterId + ", not to " + wishedClusterId);
        }
        Formatter formatter = new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setNodeId(settings.nodeId())
                .setClusterId(clusterId)
                .setDirectories(texts(settings.allDirectories()))
                .setMetadataLogDirectory(settings.metadataLogDirectory().toString())
                .setControllerListenerName(settings.controllerListenerNames().get(0))
                .setReleaseVersion(MetadataVersion.latestProduction())
                .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                .setIgnoreFormatted(true)
                .setWriteBootstrapSnapshot(settings.isController());
        if (config.staticVoters().isEmpty()) {
            formatter.setHasDynamicQuorum(true);
            dynamicVoters(voters).ifPresent(formatter::setInitialControllers);
        }
        try {
            formatter.run();
        } catch (Exception failed) {
            throw new ControlPlaneException(Reason.DISK, "cannot format: " + failed.getMessage(), failed);
        }
        return load(settings).identity(first);
    }

    private Optional<DynamicVoters> dynamicVoters(InitialVoters voters) {
        return switch (voters.kind()) {
            case JOINING -> Optional.empty();
            case LISTED -> Optional.of(parse(voters.list()));
            case STANDALONE -> {
                Endpoint own = settings.quorumEndpoint()
                        .orElseThrow(() -> new ControlPlaneException(
                                Reason.BAD_SETTING,
                                "a quorum of one needs a controller with a listener named "
                                        + settings.controllerListenerNames().get(0)));
                yield Optional.of(new DynamicVoters(
                        List.of(new DynamicVoter(Uuid.randomUuid(), settings.nodeId(), own.host(), own.port()))));
            }
        };
    }

    private static DynamicVoters parse(String list) {
        try {
            return DynamicVoters.parse(list);
        } catch (IllegalArgumentException wrong) {
            throw new ControlPlaneException(Reason.BAD_SETTING, "initial controllers: " + wrong.getMessage(), wrong);
        }
    }

    private static ControlPlaneException foreign(String sentence) {
        return new ControlPlaneException(Reason.FOREIGN_DIRECTORY, sentence);
    }

    private static List<String> texts(Collection<Path> paths) {
        return paths.stream().map(Path::toString).toList();
    }
}
