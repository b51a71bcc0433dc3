package io.highwater.coordination.group;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.coordinator.group.GroupCoordinatorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The library's coordinator, built when it is first needed, and the order in which it hears of things. Elections and resignations reach it in the
 * order they were called; metadata updates too, on a thread of their own, because the library waits there until the offsets of deleted topics are
 * removed. Any thread; guarded by itself.
 */
final class LazyCoordinator {
    private static final Logger LOG = LoggerFactory.getLogger(LazyCoordinator.class);

    private final CoordinatorAssembly assembly;
    private final Settling settling;
    private final ThreadPoolExecutor metadataThread;
    private final CompletableFuture<GroupCoordinatorService> built = new CompletableFuture<>();

    /** What came while the library was being built, in order. */
    private final List<Consumer<GroupCoordinatorService>> waiting = new ArrayList<>();

    private volatile @Nullable GroupCoordinatorService service;
    private boolean building;
    private boolean closed;
    private volatile int offsetsPartitionCount;

    /** The newest view, until the library exists and takes it. Metadata thread only. */
    private @Nullable TopicsView unseenView;

    /** Metadata thread only. */
    private final TopicsImages images = new TopicsImages();

    LazyCoordinator(CoordinatorAssembly assembly) {
        this.assembly = assembly;
        this.settling = assembly.terms().settling();
        this.metadataThread = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(task, "group-coordinator-metadata");
            thread.setDaemon(true);
            return thread;
        });
        metadataThread.allowCoreThreadTimeOut(true);
    }

    synchronized void startup(int partitionCount) {
        if (partitionCount < 1) {
            throw new IllegalArgumentException("offsets partitions: " + partitionCount);
        }
        offsetsPartitionCount = partitionCount;
    }

    void onElections(Map<Integer, Integer> leaderEpochs) {
        LeaderTerms terms = assembly.terms();
        Map<Integer, Integer> told = Map.copyOf(leaderEpochs);
        inOrder(service -> {
            settling.begin();
            told.forEach((partition, leaderEpoch) ->
                    terms.onElected(partition, leaderEpoch, () -> service.onElection(partition, leaderEpoch)));
            settling.end();
        });
    }

    void onResignation(int partition, OptionalInt leaderEpoch) {
        LeaderTerms terms = assembly.terms();
        inOrder(service ->
                terms.onResigned(partition, leaderEpoch, () -> service.onResignation(partition, leaderEpoch)));
    }

    void onGroupConfig(String groupId, Properties config) {
        inOrder(service -> {
            try {
                service.updateGroupConfig(groupId, config);
            } catch (RuntimeException e) {
                LOG.warn("Group {} keeps its settings, the new ones are wrong: {}", groupId, e.toString());
            }
        });
    }

    synchronized void onMetadataUpdate(TopicsView view, Set<Uuid> changed, Set<Uuid> deleted) {
        if (closed) {
            return;
        }
        metadataThread.execute(() -> {
            GroupCoordinatorService ready = service;
            if (ready == null) {
                unseenView = view;
            } else {
                publish(ready, view, changed, deleted);
            }
        });
    }

    /** Questions reach the library in the order they came, also those that came before it was there. */
    <T> CompletableFuture<T> ask(Function<GroupCoordinatorService, CompletableFuture<T>> question) {
        CompletableFuture<GroupCoordinatorService> turn = service == null ? inTurn() : built;
        return turn.thenCompose(running -> settling.ask(() -> question.apply(running)));
    }

    private CompletableFuture<GroupCoordinatorService> inTurn() {
        CompletableFuture<GroupCoordinatorService> turn = new CompletableFuture<>();
        inOrder(turn::complete);
        // Only for the failure: what waits for the same future is not told in order.
        var unused = built.whenComplete((running, failure) -> {
            if (failure != null) {
                turn.completeExceptionally(failure);
            }
        });
        return turn;
    }

    boolean isBuilt() {
        return service != null;
    }

    Collection<GroupMetric> olderMetrics() {
        return assembly.olderMetrics();
    }

    Collection<GroupMetric> metrics() {
        return assembly.metrics();
    }

    void close() {
        GroupCoordinatorService running;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            running = service;
            metadataThread.shutdown();
        }
        built.completeExceptionally(new CoordinatorNotAvailableException("this broker is shutting down"));
        if (running != null) {
            running.shutdown();
        }
        await(metadataThread);
        assembly.closeMetrics();
    }

    private synchronized void inOrder(Consumer<GroupCoordinatorService> step) {
        if (closed || built.isCompletedExceptionally()) {
            return;
        }
        if (service != null) {
            step.accept(service);
        } else {
            waiting.add(step);
            startBuilding();
        }
    }

    private synchronized void startBuilding() {
        if (offsetsPartitionCount == 0) {
            throw new IllegalStateException("asked before startup");
        }
        if (!building && !closed) {
            building = true;
            metadataThread.execute(this::build);
        }
    }

    /** Metadata thread. */
    private void build() {
        try {
            long startNs = System.nanoTime();
            GroupCoordinatorService fresh = assembly.build();
            TopicsView view = unseenView;
            int partitionCount = offsetsPartitionsIn(view);
            fresh.startup(() -> partitionCount);
            if (view != null) {
                publish(fresh, view, new HashSet<>(view.topicIds()), Set.of());
                unseenView = null;
            }
            if (takeOver(fresh)) {
                LOG.info(
                        "Group coordinator is up after {} ms; groups are spread over {} offsets partitions",
                        (System.nanoTime() - startNs) / 1_000_000,
                        partitionCount);
            } else {
                fresh.shutdown();
            }
        } catch (Throwable e) {
            LOG.error("The group coordinator cannot be built; requests for groups fail until the broker restarts", e);
            built.completeExceptionally(e);
        }
    }

    private int offsetsPartitionsIn(@Nullable TopicsView view) {
        if (view != null) {
            for (Uuid id : view.topicIds()) {
                TopicsView.TopicShape topic = view.topic(id);
                if (topic != null && topic.name().equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
                    return topic.partitionCount();
                }
            }
        }
        return offsetsPartitionCount;
    }

    /** Hands over what has waited; false if it is too late. */
    private synchronized boolean takeOver(GroupCoordinatorService fresh) {
        if (closed) {
            return false;
        }
        waiting.forEach(step -> step.accept(fresh));
        waiting.clear();
        built.complete(fresh);
        service = fresh;
        return true;
    }

    /** Metadata thread. */
    private void publish(GroupCoordinatorService to, TopicsView view, Set<Uuid> changed, Set<Uuid> deleted) {
        TopicsImages.Update update = images.next(view, changed, deleted);
        try {
            to.onMetadataUpdate(update.delta(), update.image());
        } catch (RuntimeException e) {
            LOG.error("Group coordinator did not take the metadata of version {}", view.version(), e);
        }
    }

    private static void await(ExecutorService executor) {
        try {
            if (!executor.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("The group coordinator's metadata thread is still busy");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
