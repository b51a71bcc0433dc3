package io.highwater.broker.view;

import io.highwater.broker.journal.IsrChange;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Partitions that somebody looks at again and again: each broker is told what is known of its replicas and answers with what is not, and a report is
 * made anew only if something in it may have changed. Not for two looks at once; otherwise any thread.
 */
public final class WatchedPartitions {
    private final Supplier<ClusterImage> image;
    private final BiFunction<ClusterImage, Map<Integer, LocalQuestion>, CompletionStage<Map<Integer, LocalAnswer>>>
            asking;
    private final TopicSettings settings;
    private final BiFunction<TopicPartition, Integer, @Nullable IsrChange> isrChanges;
    private final List<Watched> partitions = new ArrayList<>();

    /** One of them, and what is known of it. */
    private static final class Watched {
        final PartitionName name;
        final Map<Integer, LocalReplica> replicas = new HashMap<>();

        @Nullable
        PartitionView view;

        @Nullable
        PartitionReport report;

        Watched(PartitionName name) {
            this.name = name;
        }

        /** Null for a broker that does not say. */
        void put(int broker, @Nullable LocalReplica replica) {
            LocalReplica before = replica == null ? replicas.remove(broker) : replicas.put(broker, replica);
            if (replica != null || before != null) {
                report = null;
            }
        }

        int fingerprint(int broker) {
            LocalReplica known = replicas.get(broker);
            return known == null ? Fingerprint.UNKNOWN : known.fingerprint();
        }
    }

    /**
     * Asks nothing yet.
     *
     * @param image the newest
     * @param asking gives the answers by broker, where they are to be put together; of those that do not answer, nothing
     * @param isrChanges what is known of a replica that was removed from the ISR
     * @param names which, in the order in which reports are wanted; some may not exist
     */
    WatchedPartitions(
            Supplier<ClusterImage> image,
            BiFunction<ClusterImage, Map<Integer, LocalQuestion>, CompletionStage<Map<Integer, LocalAnswer>>> asking,
            TopicSettings settings,
            BiFunction<TopicPartition, Integer, @Nullable IsrChange> isrChanges,
            List<PartitionName> names) {
        this.image = image;
        this.asking = asking;
        this.settings = settings;
        this.isrChanges = isrChanges;
        names.forEach(name -> partitions.add(new Watched(name)));
    }

    /** What one broker is asked. */
    private static final class Asked {
        final List<Watched> order = new ArrayList<>();
        final List<ReplicaQuestion> questions = new ArrayList<>();
        private @Nullable ReplicaQuestion last;

        void add(Watched partition, int known) {
            ReplicaQuestion question = last;
            if (question == null || !question.topic().equals(partition.name.topic())) {
                question = new ReplicaQuestion(partition.name.topic(), new ArrayList<>(), new ArrayList<>());
                questions.add(question);
                last = question;
            }
            order.add(partition);
            question.partitions().add(partition.name.partition());
            question.known().add(known);
        }
    }

    /**
     * Reports on each of them, in their order; one that does not exist says so in its error. A report that is the same object as before has no news;
     * its ages are those of when it was made.
     *
     * @param anew whether everything is to be asked for, so that all ages are of now
     */
    public CompletionStage<List<PartitionReport>> look(boolean anew) {
        ClusterImage now = image.get();
        Map<Integer, Asked> asked = new HashMap<>();
        for (Watched partition : partitions) {
            see(partition, now.partition(partition.name.topic(), partition.name.partition()));
            PartitionView view = partition.view;
            if (view != null) {
                for (int broker : view.replicas()) {
                    asked.computeIfAbsent(broker, id -> new Asked())
                            .add(partition, anew ? Fingerprint.UNKNOWN : partition.fingerprint(broker));
                }
            }
        }
        Map<Integer, LocalQuestion> questions = new HashMap<>();
        asked.forEach((broker, what) -> questions.put(broker, LocalQuestion.about(what.questions)));
        return asking.apply(now, questions).thenApply(answers -> {
            asked.forEach((broker, what) -> hear(broker, what.order, answers.get(broker)));
            return reports(now);
        });
    }

    // Identity: the view of a partition is one object until the partition changes.
    @SuppressWarnings("ReferenceEquality")
    private static void see(Watched partition, @Nullable PartitionView view) {
        if (partition.view != view) {
            partition.view = view;
            partition.report = null;
        }
    }

    private static void hear(int broker, List<Watched> asked, @Nullable LocalAnswer answer) {
        if (answer == null || !isHeard(broker, asked, answer.replicas())) {
            asked.forEach(partition -> partition.put(broker, null));
        }
    }

    /** False if it is not what was asked for; what has been read of it is then forgotten as well. */
    private static boolean isHeard(int broker, List<Watched> asked, String told) {
        try {
            ReplicaReader reader = new ReplicaReader(told);
            while (reader.hasNext()) {
                int position = reader.position();
                if (position < 0 || position >= asked.size()) {
                    return false;
                }
                asked.get(position).put(broker, reader.replica());
            }
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private List<PartitionReport> reports(ClusterImage now) {
        List<PartitionReport> reports = new ArrayList<>(partitions.size());
        for (Watched partition : partitions) {
            PartitionReport report = partition.report;
            if (report == null || !report.isWhole()) {
                PartitionReport made = report(now, partition);
                report = made.isNewsAfter(report) ? made : report;
                partition.report = report;
            }
            reports.add(report);
        }
        return Collections.unmodifiableList(reports);
    }

    private PartitionReport report(ClusterImage now, Watched partition) {
        PartitionView view = partition.view;
        if (view == null) {
            return PartitionReport.missing(partition.name);
        }
        TopicPartition name = partition.name.asKafkas();
        return new PartitionMerge(
                        view,
                        settings.minInsyncReplicas(now, partition.name.topic()),
                        now,
                        partition.replicas,
                        broker -> isrChanges.apply(name, broker))
                .report();
    }
}
