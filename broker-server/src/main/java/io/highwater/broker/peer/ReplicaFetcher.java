package io.highwater.broker.peer;

import io.highwater.broker.partition.Clock;
import io.highwater.broker.partition.Followed;
import io.highwater.broker.partition.Partition;
import io.highwater.broker.partition.ReplicationThrottle;
import io.highwater.replication.FetchPosition;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.ReplicaState;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows one leader for some partitions: one connection, one session, one fetch at a time. Lives on one event loop; only {@link #follow},
 * {@link #leave} and {@link #close} are for other threads. What an answer means is decided by the partition; here is only who asks, when, and
 * what becomes of the connection.
 */
final class ReplicaFetcher {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaFetcher.class);
    private static final short STATE_FROM = 15;
    private static final int SAID_AT_MOST = 10;

    /** A partition that is over its rate is looked at again after so long. */
    private static final long HELD_BACK_MS = 100;

    /** Between two looks whether the controller has registered this broker by now. */
    private static final long UNREGISTERED_MS = 20;

    private final LeaderCall call;
    private final PeerSettings settings;
    private final ReplicationThrottle throttle;
    private final Clock clock;
    private final EventLoop loop;
    private final Map<Partition, FollowedPartition> partitions = new LinkedHashMap<>();
    private final FetchSession session;
    private final LeaderCall.Outcome outcome = new LeaderCall.Outcome() {
        @Override
        public void connected(LeaderConnection connected) {
            connection = connected;
            turn();
        }

        @Override
        public void retry() {
            turnOrLater();
        }
    };

    /** Came and went since the log last said so. */
    private final List<FollowedPartition> came = new ArrayList<>();

    private final List<FollowedPartition> went = new ArrayList<>();

    /** Null while there is none. */
    private @Nullable LeaderConnection connection;

    private final LongAdder requests = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    private boolean fetching;
    private boolean turnPlanned;
    private boolean closed;
    private @Nullable ScheduledFuture<?> alarm;

    ReplicaFetcher(LeaderCall call, PeerSettings settings, ReplicationThrottle throttle, Clock clock) {
        this.call = call;
        this.settings = settings;
        this.throttle = throttle;
        this.clock = clock;
        this.loop = call.loop();
        this.session = new FetchSession(settings.partitionMaxBytes());
    }

    /** This partition follows that leader, or is in a new reign. Any thread. */
    void follow(Partition partition) {
        loop.execute(() -> {
            FollowedPartition followed = partitions.get(partition);
            if (followed == null) {
                followed = new FollowedPartition(partition);
                partitions.put(partition, followed);
                came.add(followed);
            }
            await(followed, partition.following().onReign(), Errors.NONE);
            planTurn();
        });
    }

    /** This partition does not follow that leader any more. Any thread. */
    void leave(Partition partition) {
        loop.execute(() -> {
            FollowedPartition followed = partitions.remove(partition);
            if (followed != null) {
                followed.leave();
                went.add(followed);
                planTurn();
            }
        });
    }

    /** Fetches answered so far. Any thread. */
    long requests() {
        return requests.sum();
    }

    /** Bytes of records so far. Any thread. */
    long bytes() {
        return bytes.sum();
    }

    /** The end. Any thread. */
    void close() {
        loop.execute(() -> {
            closed = true;
            went.addAll(partitions.values());
            partitions.values().forEach(FollowedPartition::leave);
            partitions.clear();
            say();
            call.close();
            if (connection != null) {
                connection.close();
            }
            if (alarm != null) {
                alarm.cancel(false);
            }
        });
    }

    /** Takes its turn after everything that is being told now. */
    private void planTurn() {
        if (!turnPlanned) {
            turnPlanned = true;
            loop.execute(() -> {
                turnPlanned = false;
                turnOrLater();
            });
        }
    }

    /** A turn that the event loop begins by itself: an error would end it unsaid, and none would follow. */
    private void turnOrLater() {
        try {
            turn();
        } catch (RuntimeException e) {
            LOG.error("{} could not take its turn; it tries again in {} ms", call, settings.backoffMs(), e);
            long nowMs = clock.monotonicMs();
            wakeAt(nowMs + settings.backoffMs(), nowMs);
        }
    }

    private void turn() {
        assert loop.inEventLoop();
        say();
        if (closed || fetching) {
            return;
        }
        long nowMs = clock.monotonicMs();
        if (call.brokerEpoch() < 0) {
            // Another process may be this broker as yet: the leader would take what is here for what is there.
            wakeAt(nowMs + UNREGISTERED_MS, nowMs);
            return;
        }
        long nextMs = Long.MAX_VALUE;
        List<FollowedPartition> wanted = new ArrayList<>(partitions.size());
        for (FollowedPartition followed : partitions.values()) {
            if (followed.isOccupied() || !followed.look(call.leaderId())) {
                continue;
            }
            if (followed.retryAtMs() > nowMs) {
                nextMs = Math.min(nextMs, followed.retryAtMs());
            } else if (isHeldBack(followed)) {
                nextMs = Math.min(nextMs, nowMs + HELD_BACK_MS);
            } else {
                wanted.add(followed);
            }
        }
        if (wanted.isEmpty()) {
            wakeAt(nextMs, nowMs);
        } else if (connection == null) {
            connect();
        } else {
            // Whoever backs off must not wait for the others' patience.
            fetch(connection, wanted, (int) Math.min(settings.waitMaxMs(), nextMs - nowMs));
        }
    }

    private boolean isHeldBack(FollowedPartition followed) {
        return followed.lags() && throttle.appliesTo(followed.partition().topicPartition()) && throttle.isExceeded();
    }

    private void wakeAt(long atMs, long nowMs) {
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
        if (atMs != Long.MAX_VALUE) {
            alarm = loop.schedule(this::turnOrLater, Math.max(1, atMs - nowMs), TimeUnit.MILLISECONDS);
        }
    }

    private void connect() {
        call.connect(outcome);
    }

    private void fetch(LeaderConnection leader, List<FollowedPartition> wanted, int waitMs) {
        FetchRequestData request = new FetchRequestData()
                .setMaxWaitMs(waitMs)
                .setMinBytes(settings.minBytes())
                .setMaxBytes(settings.responseMaxBytes());
        short version = leader.versions().fetch();
        if (version >= STATE_FROM) {
            request.setReplicaState(
                    new ReplicaState().setReplicaId(settings.nodeId()).setReplicaEpoch(call.brokerEpoch()));
        } else {
            request.setReplicaId(settings.nodeId());
        }
        session.write(request, wanted);
        fetching = true;
        leader.send(ApiKeys.FETCH, version, request, new PeerConnection.Answer() {
            @Override
            public void arrived(ApiMessage body) {
                fetching = false;
                onFetched(leader, (FetchResponseData) body);
            }

            @Override
            public void failed(IOException cause) {
                fetching = false;
                onDisconnected(cause);
            }
        });
    }

    private void onDisconnected(IOException cause) {
        connection = null;
        session.onFailed();
        if (!closed) {
            call.lost(cause, outcome);
        }
    }

    private void onFetched(LeaderConnection leader, FetchResponseData answer) {
        requests.increment();
        Errors error = session.onAnswer(answer);
        if (error != Errors.NONE) {
            LOG.info("{} was answered {}, and begins a new session", call, error);
            long nowMs = clock.monotonicMs();
            partitions.values().forEach(followed -> followed.failed(error, nowMs, settings.backoffMs()));
        }
        Map<FollowedPartition, FetchPosition> lost = new LinkedHashMap<>();
        for (FetchableTopicResponse topic : answer.responses()) {
            for (PartitionData data : topic.partitions()) {
                FollowedPartition followed = session.asked(topic.topicId(), data.partitionIndex());
                if (followed != null && !followed.isGone()) {
                    bring(followed, data, lost);
                }
            }
        }
        if (!lost.isEmpty()) {
            askBounds(leader, lost);
        }
        turn();
        // Last: what fails above ends the connection, and must be waited for longer each time.
        if (error == Errors.NONE) {
            call.worked();
        }
    }

    private void bring(FollowedPartition followed, PartitionData data, Map<FollowedPartition, FetchPosition> lost) {
        FetchPosition asked = followed.told();
        if (asked == null) {
            return;
        }
        Errors error = Errors.forCode(data.errorCode());
        int sizeBytes = LeaderAnswers.records(data).sizeInBytes();
        bytes.add(sizeBytes);
        if (sizeBytes > 0 && throttle.appliesTo(followed.partition().topicPartition())) {
            throttle.record(sizeBytes);
        }
        Future<Followed> outcome =
                followed.partition().following().onAnswer(asked, LeaderAnswers.of(data), LeaderAnswers.records(data));
        if (error == Errors.NONE) {
            followed.behind(data.highWatermark());
        }
        if (outcome.isComplete() && outcome.result() == Followed.ASK_BOUNDS) {
            lost.put(followed, asked);
        } else {
            await(followed, outcome, error);
        }
    }

    private void await(FollowedPartition followed, Future<Followed> outcome, Errors error) {
        if (outcome.isComplete()) {
            settle(followed, outcome.result(), error);
            return;
        }
        followed.occupy();
        outcome.onComplete(done -> loop.execute(() -> {
            followed.free();
            settle(followed, done.succeeded() ? done.result() : Followed.BACK_OFF, error);
            turnOrLater();
        }));
    }

    private void settle(FollowedPartition followed, Followed outcome, Errors error) {
        switch (outcome) {
            case GO_ON, IGNORED, HALTED -> followed.succeeded();
            case ASK_BOUNDS, BACK_OFF -> backOff(followed, error);
        }
    }

    private void backOff(FollowedPartition followed, Errors error) {
        if (followed.failed(error, clock.monotonicMs(), settings.backoffMs()) && error != Errors.NONE) {
            LOG.info("{} was answered {} for {}; it asks again", call, error, followed);
        }
    }

    private void askBounds(LeaderConnection leader, Map<FollowedPartition, FetchPosition> asked) {
        asked.keySet().forEach(FollowedPartition::occupy);
        new LeaderBounds(settings.nodeId(), asked).ask(leader, bounds -> {
            asked.forEach((followed, position) -> {
                followed.free();
                if (followed.isGone()) {
                    return;
                }
                LeaderBounds.Reach reach = bounds.of(followed);
                if (reach.error() != Errors.NONE) {
                    backOff(followed, reach.error());
                } else {
                    await(
                            followed,
                            followed.partition().following().onLeaderBounds(position, reach.start(), reach.end()),
                            Errors.OFFSET_OUT_OF_RANGE);
                }
            });
            turn();
        });
    }

    private void say() {
        if (!came.isEmpty()) {
            LOG.info("{} begins to follow it for {}", call, names(came));
            came.clear();
        }
        if (!went.isEmpty()) {
            LOG.info("{} no longer follows it for {}", call, names(went));
            went.clear();
        }
    }

    private static String names(List<FollowedPartition> some) {
        String first = some.stream()
                .limit(SAID_AT_MOST)
                .map(FollowedPartition::toString)
                .collect(Collectors.joining(", "));
        int more = some.size() - SAID_AT_MOST;
        return some.size() + " partitions: " + first + (more > 0 ? " and " + more + " more" : "");
    }
}
