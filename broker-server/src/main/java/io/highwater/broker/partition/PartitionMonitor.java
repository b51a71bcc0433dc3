package io.highwater.broker.partition;

import io.highwater.controlplane.ControlPlaneException;
import io.highwater.replication.Effect;
import io.highwater.replication.EffectPerformer;
import io.highwater.replication.InSyncReplicasProposal;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock of one partition, the role it guards, and those who wait for what the role decides. Every change goes the same way: decide under
 * the lock, then {@link #perform} what the decision leaves to be done, without it. Any thread.
 */
final class PartitionMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionMonitor.class);

    private final TopicPartition topicPartition;
    private final Uuid topicId;
    private final PartitionRole role;
    private final PartitionServices services;
    private final EffectPerformer performer = this::propose;
    private final DelayedFetches delayedFetches = new DelayedFetches();
    private final List<HighWatermarkListener> listeners = new CopyOnWriteArrayList<>();

    private final EarlyTick earlyTick = new EarlyTick();

    /** Whether a follower had lost its connection when the early tick was last armed. */
    private volatile boolean suspecting;

    /** Owns the role and every change of the log. */
    private final ReentrantLock lock = new ReentrantLock();

    PartitionMonitor(TopicPartition topicPartition, Uuid topicId, PartitionRole role, PartitionServices services) {
        this.topicPartition = topicPartition;
        this.topicId = topicId;
        this.role = role;
        this.services = services;
    }

    /** For what does more under the lock than {@link #change} and {@link #ask} can say; {@link #perform} comes after it. */
    ReentrantLock lock() {
        return lock;
    }

    /** Guarded by {@link #lock}, except for what it publishes. */
    PartitionRole role() {
        return role;
    }

    /** Makes a transition, which gets the monotonic time in ms, and performs what it leaves. */
    Aftermath change(LongFunction<Aftermath> transition) {
        Aftermath aftermath;
        lock.lock();
        try {
            aftermath = transition.apply(services.clock().monotonicMs());
        } finally {
            lock.unlock();
        }
        perform(aftermath);
        return aftermath;
    }

    /** Looks at something under the lock. */
    <T> T ask(Supplier<T> question) {
        lock.lock();
        try {
            return question.get();
        } finally {
            lock.unlock();
        }
    }

    /** What a transition has left to do. Without the lock. */
    void perform(Aftermath aftermath) {
        assert !lock.isHeldByCurrentThread();
        complete(aftermath.settled(), aftermath.verdict());
        complete(aftermath.deleted(), Errors.NONE);
        if (aftermath.roleChanged()) {
            delayedFetches.wakeAll();
        } else {
            delayedFetches.onProgress();
        }
        if (aftermath.progress()) {
            for (HighWatermarkListener listener : listeners) {
                listener.onHighWatermark(topicPartition, role.highWatermark());
            }
        }
        for (Effect effect : aftermath.effects()) {
            effect.performBy(performer);
        }
    }

    /** Time has passed: looks for laggards, and sees when it is worth to look again. */
    void tick() {
        change(role::onTick);
        earlyTick.arm();
    }

    /** Something may have changed in who is to be given up when. */
    void watchSuspects() {
        earlyTick.arm();
    }

    /** A follower fetches: if it was a suspect, there may be enough now who are not to give up those who are. */
    void onFollowerFetch(FetchSpec.Follower replica, long fetchOffset, int leaderEpoch) {
        change(nowMs -> role.onFollowerFetch(replica, fetchOffset, leaderEpoch, nowMs));
        if (suspecting) {
            earlyTick.arm();
        }
    }

    /** A follower's connection is gone: it may be given up sooner than others. */
    void onFollowerDisconnected(int replicaId) {
        change(nowMs -> role.onFollowerDisconnected(replicaId, nowMs));
        earlyTick.arm();
    }

    /** A parked request has waited long enough. */
    void onTimedOut(AwaitedOffset awaited) {
        if (ask(() -> role.remove(awaited))) {
            awaited.complete(Errors.REQUEST_TIMED_OUT);
        }
    }

    void addListener(HighWatermarkListener listener) {
        listeners.add(listener);
    }

    void removeListener(HighWatermarkListener listener) {
        listeners.remove(listener);
    }

    DelayedFetches delayedFetches() {
        return delayedFetches;
    }

    private void complete(List<AwaitedOffset> awaited, Errors error) {
        for (AwaitedOffset one : awaited) {
            services.deadlines().cancel(one);
            one.complete(error);
        }
    }

    private void propose(InSyncReplicasProposal proposal) {
        services.events().onProposed(topicPartition, proposal, ask(role::settings));
        var unused = services.controller()
                .propose(topicId, topicPartition.partition(), proposal)
                .thenAccept(answer -> {
                    change(nowMs -> role.onAnswer(proposal, answer, nowMs));
                    earlyTick.arm();
                    services.events().onAnswered(topicPartition, proposal, answer, ask(role::settings));
                })
                .exceptionally(this::unanswered);
    }

    private @Nullable Void unanswered(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof ControlPlaneException) {
            LOG.debug("{}: the node ends before the controller has answered", topicPartition);
        } else {
            LOG.error("{}: the controller's answer could not be followed", topicPartition, cause);
        }
        return null;
    }

    /** A tick before the usual time, when the role asks for one. */
    private final class EarlyTick extends Deadlines.Deadline {
        synchronized void arm() {
            services.deadlines().cancel(this);
            long dueMs = ask(() -> {
                suspecting = role.hasSuspects();
                return role.nextDeadlineMs();
            });
            if (dueMs != Long.MAX_VALUE) {
                services.deadlines().set(this, dueMs - services.clock().monotonicMs());
            }
        }

        @Override
        protected void onPassed() {
            tick();
        }
    }
}
