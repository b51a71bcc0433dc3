package io.highwater.controlplane;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AlterPartitionRequestData;
import org.apache.kafka.common.message.AlterPartitionResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the leaders' proposals of new in-sync replicas: one request at a time with all that wait, repeated until it is answered. Owned by
 * the control thread.
 */
final class IsrProposals {
    /** Pause after a request that the controller refused as a whole. */
    static final long RESEND_MS = 50;

    private static final Logger LOG = LoggerFactory.getLogger(IsrProposals.class);

    /** A leader that proposes is certain of its log again, so it never calls itself recovering. */
    private static final byte RECOVERED = 0;

    private final int brokerId;
    private final LongSupplier brokerEpoch;
    private final ControllerChannel channel;
    private final ControlExecutor executor;
    private final Map<Key, Pending> waiting = new LinkedHashMap<>();
    private boolean inFlight;
    private boolean closed;

    private record Key(Uuid topicId, int partition) {}

    private record Pending(InSyncReplicasProposal proposal, CompletableFuture<InSyncReplicasAnswer> answer) {}

    IsrProposals(int brokerId, LongSupplier brokerEpoch, ControllerChannel channel, ControlExecutor executor) {
        this.brokerId = brokerId;
        this.brokerEpoch = brokerEpoch;
        this.channel = channel;
        this.executor = executor;
    }

    CompletableFuture<InSyncReplicasAnswer> propose(InSyncReplicasProposal proposal) {
        CompletableFuture<InSyncReplicasAnswer> answer = new CompletableFuture<>();
        executor.run(() -> {
            if (closed) {
                answer.completeExceptionally(closedException());
                return;
            }
            Key key = new Key(proposal.topicId(), proposal.partition());
            if (waiting.putIfAbsent(key, new Pending(proposal, answer)) != null) {
                answer.complete(InSyncReplicasAnswer.refused(Errors.OPERATION_NOT_ATTEMPTED));
                return;
            }
            send();
        });
        return answer;
    }

    private void send() {
        if (inFlight || waiting.isEmpty() || closed) {
            return;
        }
        inFlight = true;
        Map<Key, Pending> sent = new LinkedHashMap<>(waiting);
        channel.ask(request(sent.values()), ControllerChannel.NO_DEADLINE_MS)
                .whenComplete((response, failure) -> executor.run(() -> onAnswer(sent, response, failure)));
    }

    private AlterPartitionRequestData request(Iterable<Pending> pending) {
        Map<Uuid, AlterPartitionRequestData.TopicData> topics = new LinkedHashMap<>();
        for (Pending one : pending) {
            InSyncReplicasProposal proposal = one.proposal;
            topics.computeIfAbsent(proposal.topicId(), id -> new AlterPartitionRequestData.TopicData().setTopicId(id))
                    .partitions()
                    .add(new AlterPartitionRequestData.PartitionData()
                            .setPartitionIndex(proposal.partition())
                            .setLeaderEpoch(proposal.leaderEpoch())
                            .setPartitionEpoch(proposal.partitionEpoch())
                            .setLeaderRecoveryState(RECOVERED)
                            .setNewIsrWithEpochs(proposal.members().stream()
                                    .map(member -> new AlterPartitionRequestData.BrokerState()
                                            .setBrokerId(member.brokerId())
                                            .setBrokerEpoch(member.brokerEpoch()))
                                    .collect(Collectors.toList())));
        }
        return new AlterPartitionRequestData()
                .setBrokerId(brokerId)
                .setBrokerEpoch(brokerEpoch.getAsLong())
                .setTopics(new ArrayList<>(topics.values()));
    }

    private void onAnswer(Map<Key, Pending> sent, @Nullable AbstractResponse response, @Nullable Throwable failure) {
        inFlight = false;
        if (closed || failure instanceof ControlPlaneException) {
            return; // the control plane stops, and close() tells who waits
        }
        Errors error = response == null
                ? Errors.forException(failure)
                : Errors.forCode(((AlterPartitionResponseData) response.data()).errorCode());
        if (response == null || error != Errors.NONE) {
            LOG.warn("the controller refuses {} ISR proposals: {}; sending them again", sent.size(), error);
            executor.after(RESEND_MS, this::send);
            return;
        }
        ((AlterPartitionResponseData) response.data())
                .topics()
                .forEach(topic -> topic.partitions().forEach(partition -> finish(topic.topicId(), partition)));
        boolean incomplete = sent.keySet().stream().anyMatch(waiting::containsKey);
        if (incomplete) {
            LOG.warn("the controller left some of {} ISR proposals unanswered; sending them again", sent.size());
            executor.after(RESEND_MS, this::send);
        } else {
            send();
        }
    }

    private void finish(Uuid topicId, AlterPartitionResponseData.PartitionData partition) {
        Pending pending = waiting.remove(new Key(topicId, partition.partitionIndex()));
        if (pending == null) {
            return;
        }
        Errors error = Errors.forCode(partition.errorCode());
        pending.answer.complete(
                error != Errors.NONE
                        ? InSyncReplicasAnswer.refused(error)
                        : new InSyncReplicasAnswer(
                                Errors.NONE,
                                partition.leaderId(),
                                partition.leaderEpoch(),
                                partition.partitionEpoch(),
                                partition.isr(),
                                partition.leaderRecoveryState() != RECOVERED));
    }

    /** Fails what waits and what will be proposed. */
    void close() {
        closed = true;
        List<Pending> rest = new ArrayList<>(waiting.values());
        waiting.clear();
        rest.forEach(pending -> pending.answer.completeExceptionally(closedException()));
    }

    private static ControlPlaneException closedException() {
        return new ControlPlaneException(ControlPlaneException.Reason.NOT_RUNNING, "the control plane is closed");
    }
}
