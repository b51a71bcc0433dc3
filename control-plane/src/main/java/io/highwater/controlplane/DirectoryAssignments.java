package io.highwater.controlplane;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AssignReplicasToDirsRequestData;
import org.apache.kafka.common.message.AssignReplicasToDirsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the controller which replica lies in which directory of this broker, many at a time. Owned by the control thread. */
final class DirectoryAssignments {
    /** The most the controller takes in one request. */
    static final int MAX_BATCH = 2_250;

    /** Those that come together (a topic was created) travel together. */
    static final long GATHER_MS = 5;

    private static final long FIRST_BACKOFF_MS = 100;
    private static final long MAX_BACKOFF_MS = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryAssignments.class);

    private final int brokerId;
    private final LongSupplier brokerEpoch;
    private final Supplier<ClusterImage> image;
    private final ControllerChannel channel;
    private final ControlExecutor executor;
    private final Map<Replica, Assignment> waiting = new LinkedHashMap<>();
    private boolean scheduled;
    private boolean inFlight;
    private boolean closed;
    private long backoffMs = FIRST_BACKOFF_MS;

    private record Replica(Uuid topicId, int partition) {}

    /** The newest wish for a replica, and everybody who waits for it or for one that it replaced. */
    private record Assignment(Uuid directoryId, List<CompletableFuture<Void>> askers) {
        Assignment with(Assignment other) {
            List<CompletableFuture<Void>> all = new ArrayList<>(askers);
            all.addAll(other.askers);
            return new Assignment(directoryId, all);
        }

        void taken() {
            askers.forEach(asker -> asker.complete(null));
        }

        void abandoned() {
            askers.forEach(asker -> asker.completeExceptionally(closedException()));
        }
    }

    DirectoryAssignments(
            int brokerId,
            LongSupplier brokerEpoch,
            Supplier<ClusterImage> image,
            ControllerChannel channel,
            ControlExecutor executor) {
        this.brokerId = brokerId;
        this.brokerEpoch = brokerEpoch;
        this.image = image;
        this.channel = channel;
        this.executor = executor;
    }

    CompletableFuture<Void> assign(Uuid topicId, int partition, Uuid directoryId) {
        CompletableFuture<Void> taken = new CompletableFuture<>();
        executor.run(() -> {
            if (closed) {
                taken.completeExceptionally(closedException());
                return;
            }
            Assignment wish = new Assignment(directoryId, List.of(taken));
            waiting.merge(new Replica(topicId, partition), wish, (older, newer) -> newer.with(older));
            sendIn(GATHER_MS);
        });
        return taken;
    }

    private void sendIn(long delayMs) {
        if (!scheduled && !inFlight && !waiting.isEmpty() && !closed) {
            scheduled = true;
            executor.after(delayMs, () -> {
                scheduled = false;
                send();
            });
        }
    }

    private void send() {
        if (inFlight || closed) {
            return;
        }
        Map<Replica, Assignment> sent = new HashMap<>();
        Iterator<Map.Entry<Replica, Assignment>> next = waiting.entrySet().iterator();
        while (next.hasNext() && sent.size() < MAX_BATCH) {
            Map.Entry<Replica, Assignment> entry = next.next();
            next.remove();
            if (image.get().partition(entry.getKey().topicId(), entry.getKey().partition()) == null) {
                entry.getValue().taken();
            } else {
                sent.put(entry.getKey(), entry.getValue());
            }
        }
        if (sent.isEmpty()) {
            return;
        }
        inFlight = true;
        channel.ask(request(sent), ControllerChannel.NO_DEADLINE_MS)
                .whenComplete((response, failure) -> executor.run(() -> onAnswer(sent, response, failure)));
    }

    private AssignReplicasToDirsRequestData request(Map<Replica, Assignment> sent) {
        Map<Uuid, Map<Uuid, AssignReplicasToDirsRequestData.TopicData>> byDirectory = new HashMap<>();
        sent.forEach((replica, assignment) -> byDirectory
                .computeIfAbsent(assignment.directoryId, id -> new HashMap<>())
                .computeIfAbsent(replica.topicId, id -> new AssignReplicasToDirsRequestData.TopicData().setTopicId(id))
                .partitions()
                .add(new AssignReplicasToDirsRequestData.PartitionData().setPartitionIndex(replica.partition)));
        List<AssignReplicasToDirsRequestData.DirectoryData> directories = new ArrayList<>();
        byDirectory.forEach((id, topics) -> directories.add(new AssignReplicasToDirsRequestData.DirectoryData()
                .setId(id)
                .setTopics(new ArrayList<>(topics.values()))));
        return new AssignReplicasToDirsRequestData()
                .setBrokerId(brokerId)
                .setBrokerEpoch(brokerEpoch.getAsLong())
                .setDirectories(directories);
    }

    private void onAnswer(
            Map<Replica, Assignment> sent, @Nullable AbstractResponse response, @Nullable Throwable failure) {
        inFlight = false;
        if (closed || failure instanceof ControlPlaneException) {
            sent.values().forEach(Assignment::abandoned);
            return;
        }
        Errors error = response == null
                ? Errors.forException(failure)
                : Errors.forCode(((AssignReplicasToDirsResponseData) response.data()).errorCode());
        if (response != null && error == Errors.NONE) {
            ((AssignReplicasToDirsResponseData) response.data())
                    .directories()
                    .forEach(directory -> directory
                            .topics()
                            .forEach(topic -> topic.partitions().forEach(partition -> {
                                if (partition.errorCode() == Errors.NONE.code()) {
                                    Assignment done =
                                            sent.remove(new Replica(topic.topicId(), partition.partitionIndex()));
                                    if (done != null) {
                                        done.taken();
                                    }
                                }
                            })));
        }
        if (sent.isEmpty()) {
            backoffMs = FIRST_BACKOFF_MS;
            sendIn(0);
            return;
        }
        LOG.info(
                "the controller has not taken {} directory assignments yet ({}); again in {} ms",
                sent.size(),
                error,
                backoffMs);
        // A wish that came meanwhile is newer than the one that failed.
        sent.forEach(
                (replica, assignment) -> waiting.merge(replica, assignment, (newer, failed) -> newer.with(failed)));
        sendIn(backoffMs);
        backoffMs = Math.min(MAX_BACKOFF_MS, backoffMs * 2);
    }

    /** Fails what waits and what will be assigned. */
    void close() {
        closed = true;
        waiting.values().forEach(Assignment::abandoned);
        waiting.clear();
    }

    private static ControlPlaneException closedException() {
        return new ControlPlaneException(ControlPlaneException.Reason.NOT_RUNNING, "the control plane is closed");
    }
}
