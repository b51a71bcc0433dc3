package io.highwater.broker.view;

import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.journal.IsrChange;
import io.highwater.broker.partition.Clock;
import io.highwater.broker.partition.Partitions;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import io.highwater.coordination.group.GroupCoordination;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What this broker tells of the whole cluster: its own part, and what the others answer. No answer waits for a broker that is silent longer than
 * {@link Peers} does. Stages never fail but by a fault of ours. Any thread.
 */
public final class ClusterView {
    /** More partitions of a topic are a page further. */
    public static final int TOPIC_PAGE = 200;

    private final LocalView self;
    private final Peers peers;
    private final Supplier<ClusterImage> image;
    private final IntSupplier controllerId;
    private final TopicSettings settings;
    private final LongSupplier wallClockMs;
    private final Executor merging;
    private final Shared<GroupsReport> groups = new Shared<>();
    private final SummaryCache summaries = new SummaryCache();

    /**
     * Asks nothing yet.
     *
     * @param image the newest
     * @param controllerId the active controller, -1 if it is not known
     * @param merging where answers are put together
     */
    public ClusterView(
            LocalView self,
            Peers peers,
            Supplier<ClusterImage> image,
            IntSupplier controllerId,
            TopicSettings settings,
            LongSupplier wallClockMs,
            Executor merging) {
        this.self = self;
        this.peers = peers;
        this.image = image;
        this.controllerId = controllerId;
        this.settings = settings;
        this.wallClockMs = wallClockMs;
        this.merging = merging;
    }

    /** All brokers and topics. */
    public CompletionStage<ClusterReport> cluster() {
        return askAll(LocalQuestion.NOTHING).thenApply(answers -> {
            ClusterImage now = image.get();
            Set<Integer> silent = new TreeSet<>();
            for (BrokerView broker : now.brokers()) {
                if (isAsked(broker) && !answers.containsKey(broker.id())) {
                    silent.add(broker.id());
                }
            }
            int controller = controllerId.getAsInt();
            return summaries.get(
                    now,
                    controller,
                    silent,
                    () -> new ClusterSummary(now, settings)
                            .report(self.clusterId(), self.nodeId(), controller, silent));
        });
    }

    /** Whether there is such a topic, as far as this broker knows. */
    public boolean knowsTopic(String topic) {
        return image.get().topic(topic) != null;
    }

    /** Whether there is such a partition, as far as this broker knows. */
    public boolean knows(PartitionName name) {
        return image.get().partition(name.topic(), name.partition()) != null;
    }

    /** Whether there is such a broker, as far as this one knows. */
    public boolean knowsBroker(int id) {
        return image.get().broker(id) != null;
    }

    /** {@link #TOPIC_PAGE} partitions of a topic, from that one on; null if there is no such topic. */
    public @Nullable CompletionStage<TopicReport> topic(String name, int from) {
        TopicView topic = image.get().topic(name);
        if (topic == null) {
            return null;
        }
        int count = topic.partitions().size();
        List<PartitionName> page = new ArrayList<>();
        for (int index = from; index < Math.min(count, from + TOPIC_PAGE); index++) {
            page.add(new PartitionName(name, index));
        }
        return partitions(page).thenApply(reports -> new TopicReport(name, count, from + TOPIC_PAGE < count, reports));
    }

    /** Reports on each of these, in their order; one that does not exist says so in its error. */
    public CompletionStage<List<PartitionReport>> partitions(List<PartitionName> names) {
        return watch(names).look(true);
    }

    /** Begins to look at these again and again; asks nothing yet. */
    public WatchedPartitions watch(List<PartitionName> names) {
        return new WatchedPartitions(image, this::ask, settings, self::isrChange, names);
    }

    /**
     * Events of all brokers.
     *
     * @param filter which; its numbers are not looked at
     * @param cursor where each broker goes on; null for the newest events, or for all since the filter's time if it has one
     * @param broker of that one only; -1 for all
     */
    public CompletionStage<EventsReport> events(EventFilter filter, @Nullable EventCursor cursor, int broker) {
        ClusterImage now = image.get();
        boolean forward = cursor != null || filter.sinceWallMs() > 0;
        EventCursor from = cursor == null ? EventCursor.START : cursor;
        Map<Integer, LocalQuestion> questions = new HashMap<>();
        for (int id : everybody(now)) {
            if (broker < 0 || broker == id) {
                questions.put(id, LocalQuestion.events(filter.from(forward ? from.number(id) : -1)));
            }
        }
        return ask(now, questions).thenApply(answers -> {
            Map<Integer, EventPage> pages = new TreeMap<>();
            answers.forEach((id, answer) -> {
                if (answer.events() != null) {
                    pages.put(id, answer.events());
                }
            });
            return EventMerge.merge(pages, from, filter.limit(), forward);
        });
    }

    /** Who was removed from the ISR of what, how often and for how long; the leader's own words before what others have seen. */
    public CompletionStage<List<IsrChange>> isrChanges(IsrFilter filter) {
        return askAll(LocalQuestion.isrChanges(filter)).thenApply(IsrChangeMerge::merge);
    }

    /** All groups and how far they lag. */
    public CompletionStage<GroupsReport> groups() {
        return groups.get(this::askForGroups);
    }

    /** For metrics: the groups whose coordinator is this broker. */
    public GroupWatch groupWatch(GroupCoordination coordination, Partitions partitions, Clock clock) {
        return new GroupWatch(
                coordination, partitions, new UnreadElsewhere(self.nodeId(), image, peers, clock::monotonicMs), clock);
    }

    private CompletionStage<GroupsReport> askForGroups() {
        return askAll(LocalQuestion.ofGroups()).thenCompose(answers -> {
            Map<Integer, List<LocalGroup>> byCoordinator = new TreeMap<>();
            answers.forEach((broker, answer) -> byCoordinator.put(broker, answer.groups()));
            return highWatermarks(GroupMerge.partitions(byCoordinator))
                    .thenApply(watermarks -> GroupMerge.merge(byCoordinator, watermarks));
        });
    }

    private CompletionStage<Map<PartitionName, Long>> highWatermarks(Set<PartitionName> names) {
        ClusterImage now = image.get();
        Map<Integer, List<PartitionName>> byLeader = new HashMap<>();
        for (PartitionName name : names) {
            PartitionView view = now.partition(name.topic(), name.partition());
            if (view != null && view.leader() != PartitionView.NO_LEADER) {
                byLeader.computeIfAbsent(view.leader(), id -> new ArrayList<>()).add(name);
            }
        }
        Map<Integer, LocalQuestion> questions = new HashMap<>();
        byLeader.forEach((leader, led) -> questions.put(leader, LocalQuestion.watermarks(led)));
        return ask(now, questions).thenApply(answers -> {
            Map<PartitionName, Long> watermarks = new HashMap<>();
            for (LocalAnswer answer : answers.values()) {
                for (Watermark mark : answer.watermarks()) {
                    watermarks.put(new PartitionName(mark.topic(), mark.partition()), mark.highWatermark());
                }
            }
            return watermarks;
        });
    }

    /** What makes records less safe than they could be. */
    public CompletionStage<List<LintFinding>> lint() {
        return askAll(LocalQuestion.ofAcks()).thenApply(answers -> {
            Map<String, AcksSeen> acks = new TreeMap<>();
            answers.values()
                    .forEach(answer -> answer.acks().forEach(seen -> acks.merge(seen.topic(), seen, LocalView::newer)));
            return new DurabilityLint(image.get(), settings, acks, wallClockMs.getAsLong()).findings();
        });
    }

    /**
     * Carries out a command of step mode at one leader, or at all with -1, and tells what is held everywhere. Null if that leader does not say
     * that it has done it.
     */
    public CompletionStage<@Nullable StepReport> step(StepCommand command, int leader) {
        ClusterImage now = image.get();
        Map<Integer, LocalQuestion> questions = new HashMap<>();
        for (int id : everybody(now)) {
            questions.put(id, LocalQuestion.step(leader < 0 || leader == id ? command : StepCommand.LOOK));
        }
        return ask(now, questions).thenApply(answers -> {
            if (leader >= 0 && !answers.containsKey(leader)) {
                return null;
            }
            List<StepReport.Hold> holding = new ArrayList<>();
            List<HeldFetch> held = new ArrayList<>();
            boolean enabled = false;
            for (LocalAnswer answer : answers.values()) {
                LocalStep step = answer.step();
                if (step != null) {
                    enabled |= step.enabled() && answer.brokerId() == self.nodeId();
                    step.holding().forEach(follower -> holding.add(new StepReport.Hold(answer.brokerId(), follower)));
                    held.addAll(step.held());
                }
            }
            return new StepReport(enabled, holding, held);
        });
    }

    private CompletionStage<Map<Integer, LocalAnswer>> askAll(LocalQuestion question) {
        ClusterImage now = image.get();
        Map<Integer, LocalQuestion> questions = new HashMap<>();
        everybody(now).forEach(id -> questions.put(id, question));
        return ask(now, questions);
    }

    private Set<Integer> everybody(ClusterImage now) {
        Set<Integer> ids = new TreeSet<>();
        ids.add(self.nodeId());
        now.brokers().forEach(broker -> ids.add(broker.id()));
        return ids;
    }

    private boolean isAsked(BrokerView broker) {
        return broker.id() != self.nodeId() && broker.endpoints().containsKey(BrokerConfig.HTTP_LISTENER);
    }

    /** The answers by broker; of those that give none, nothing. */
    private CompletionStage<Map<Integer, LocalAnswer>> ask(ClusterImage now, Map<Integer, LocalQuestion> questions) {
        Map<Integer, LocalAnswer> answers = new TreeMap<>();
        List<CompletableFuture<?>> asked = new ArrayList<>();
        questions.forEach((id, question) -> {
            CompletionStage<@Nullable LocalAnswer> answer = ask(now, id, question);
            if (answer != null) {
                asked.add(answer.thenAccept(given -> {
                            if (given != null) {
                                synchronized (answers) {
                                    answers.put(id, given);
                                }
                            }
                        })
                        .toCompletableFuture());
            }
        });
        return CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]))
                .thenApplyAsync(done -> answers, merging);
    }

    private @Nullable CompletionStage<@Nullable LocalAnswer> ask(ClusterImage now, int id, LocalQuestion question) {
        if (id == self.nodeId()) {
            return self.answer(question).thenApply(given -> given);
        }
        BrokerView broker = now.broker(id);
        return broker == null || !isAsked(broker) ? null : peers.ask(broker, question);
    }
}
