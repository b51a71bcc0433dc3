package io.highwater.broker.partition;

import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.highwater.storage.dir.PartitionDirectory;
import io.highwater.storage.dir.PartitionDirectory.Kind;
import io.highwater.storage.dir.PartitionMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles which of two directories holds a replica, when a move between them ended half way: the copy has its place, the old files are not
 * aside yet. The one that the controller knows of stays if its log reaches as far as the other's; if the controller knows of neither, the one
 * that reaches further. The other is set aside, not deleted. What does not fit this is left as it is, and refused later.
 */
final class ReplicaTwins {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaTwins.class);
    private static final String LOG_FILE = "\\d{20}\\.log";

    private final int nodeId;
    private final ClusterImage image;

    /** A directory on disk and what is in it. */
    private record Found(DataDirectory directory, PartitionDirectory files) {}

    ReplicaTwins(int nodeId, ClusterImage image) {
        this.nodeId = nodeId;
        this.image = image;
    }

    /** Looks through what was found in all directories, and takes those that are set aside out of it. */
    void settle(Map<DataDirectory, List<PartitionDirectory>> found) {
        Map<TopicPartition, List<Found>> byName = new HashMap<>();
        found.forEach((directory, all) -> all.stream()
                .filter(one -> one.kind() == Kind.LIVE)
                .forEach(one -> byName.merge(
                        one.partition(),
                        List.of(new Found(directory, one)),
                        (a, b) -> Stream.concat(a.stream(), b.stream()).toList())));
        byName.values().stream().filter(same -> same.size() == 2).forEach(twins -> {
            try {
                Found loser = loserOf(twins.get(0), twins.get(1));
                if (loser != null) {
                    setAside(loser, twins);
                    found.values().forEach(all -> all.remove(loser.files()));
                }
            } catch (IOException e) {
                LOG.warn("Cannot find out which of {} is the replica: {}", twins, e.toString());
            }
        });
    }

    private @Nullable Found loserOf(Found a, Found b) throws IOException {
        PartitionView view = viewOf(a);
        if (view == null || !view.equals(viewOf(b))) {
            return null; // of different topics: each is judged for itself
        }
        int further = compareEnds(a.files().path(), b.files().path());
        boolean aIsKnown = a.directory().id().equals(view.directoryOf(nodeId));
        boolean bIsKnown = b.directory().id().equals(view.directoryOf(nodeId));
        if (aIsKnown) {
            return further >= 0 ? b : null;
        }
        if (bIsKnown) {
            return further <= 0 ? a : null;
        }
        return further >= 0 ? b : a;
    }

    private @Nullable PartitionView viewOf(Found one) throws IOException {
        var topicId = PartitionMetadata.readTopicId(one.files().path());
        return topicId == null
                ? null
                : image.partition(topicId, one.files().partition().partition());
    }

    /** Which log reaches further: by the segment that is written, then by how much is in it. */
    private static int compareEnds(Path a, Path b) throws IOException {
        NavigableMap<String, Long> ofA = logSizes(a);
        NavigableMap<String, Long> ofB = logSizes(b);
        if (ofA.isEmpty() || ofB.isEmpty()) {
            return Boolean.compare(ofB.isEmpty(), ofA.isEmpty());
        }
        int byName = ofA.lastKey().compareTo(ofB.lastKey());
        return byName != 0
                ? byName
                : ofA.lastEntry().getValue().compareTo(ofB.lastEntry().getValue());
    }

    private static NavigableMap<String, Long> logSizes(Path directory) throws IOException {
        Set<Path> logs;
        try (Stream<Path> entries = Files.list(directory)) {
            logs = entries.filter(entry -> entry.getFileName().toString().matches(LOG_FILE))
                    .collect(Collectors.toSet());
        }
        NavigableMap<String, Long> sizes = new TreeMap<>();
        for (Path file : logs) {
            sizes.put(file.getFileName().toString(), Files.size(file));
        }
        return sizes;
    }

    private static void setAside(Found loser, List<Found> twins) throws IOException {
        Path aside = loser.directory()
                .files()
                .rename(loser.files().path(), loser.files().partition(), Kind.STRAY);
        LOG.warn(
                "{} was in {} and in {}, as after a move that was not finished; the first one is kept as {}",
                loser.files().partition(),
                loser.directory(),
                twins.stream()
                        .filter(one -> !one.equals(loser))
                        .map(Found::directory)
                        .toList(),
                aside.getFileName());
    }
}
