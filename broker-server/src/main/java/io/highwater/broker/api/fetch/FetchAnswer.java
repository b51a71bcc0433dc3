package io.highwater.broker.api.fetch;

import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.partition.FetchOutcome;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.highwater.replication.EpochEnd;
import io.highwater.storage.segment.AbortedTxn;
import io.highwater.storage.segment.LogSlice;
import io.highwater.wire.frame.LeasedRecords;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.EpochEndOffset;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.LeaderIdAndEpoch;
import org.apache.kafka.common.message.FetchResponseData.NodeEndpoint;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;

/**
 * Turns what was read into the answer. The slices become leases of the answer, or are given back; whatever was taken is null in
 * {@code outcomes} afterwards. If building throws, what was taken is given back, and the rest stays with the caller.
 */
final class FetchAnswer {
    private static final int STORAGE_ERROR_FROM = 6;
    private static final int LEADER_FROM = 16;

    private final ApiRequest request;
    private final ClusterImage image;
    private final List<Wanted> wanted;
    private final @Nullable FetchOutcome[] outcomes;
    private final boolean plaintext;
    private final FetchResponseData response = new FetchResponseData();
    private @Nullable FetchableTopicResponse lastTopic;

    FetchAnswer(ApiRequest request, ClusterImage image, List<Wanted> wanted, @Nullable FetchOutcome[] outcomes) {
        this.request = request;
        this.image = image;
        this.wanted = wanted;
        this.outcomes = outcomes;
        SecurityProtocol protocol = request.client().securityProtocol();
        this.plaintext = protocol == SecurityProtocol.PLAINTEXT || protocol == SecurityProtocol.SASL_PLAINTEXT;
    }

    /** Everything; a new session remembers it. */
    FetchResponseData all(@Nullable FetchSession session) {
        return build(session, true);
    }

    /** What the session's reader does not know yet. */
    FetchResponseData news(FetchSession session) {
        return build(session, false);
    }

    private FetchResponseData build(@Nullable FetchSession session, boolean all) {
        PartitionData taken = null;
        try {
            for (int i = 0; i < outcomes.length; i++) {
                Wanted of = wanted.get(i);
                FetchOutcome outcome = Objects.requireNonNull(outcomes[i]);
                taken = data(of, outcome);
                outcomes[i] = null;
                boolean isNews = session == null || session.tell(of, taken);
                if (all || isNews) {
                    add(of, taken);
                } else {
                    release(taken);
                }
            }
            return session == null ? response : response.setSessionId(session.id());
        } catch (RuntimeException e) {
            release(taken);
            LeasedRecords.releaseAll(response);
            throw e;
        }
    }

    private static void release(@Nullable PartitionData taken) {
        if (taken != null && taken.records() instanceof LeasedRecords leased) {
            leased.release();
        }
    }

    private void add(Wanted of, PartitionData data) {
        FetchableTopicResponse topic = lastTopic;
        if (topic == null
                || !topic.topicId().equals(of.topicId())
                || !topic.topic().equals(of.topic())) {
            topic = new FetchableTopicResponse().setTopic(of.topic()).setTopicId(of.topicId());
            response.responses().add(topic);
            lastTopic = topic;
        }
        topic.partitions().add(data);
    }

    private PartitionData data(Wanted of, FetchOutcome outcome) {
        PartitionData data = new PartitionData()
                .setPartitionIndex(of.index())
                .setErrorCode(wireError(outcome.error()).code())
                .setHighWatermark(outcome.highWatermark())
                .setLastStableOffset(outcome.lastStableOffset())
                .setLogStartOffset(outcome.logStartOffset())
                .setPreferredReadReplica(outcome.preferredReplica())
                .setAbortedTransactions(aborted(outcome.aborted()));
        EpochEnd diverging = outcome.diverging();
        if (diverging != null) {
            data.setDivergingEpoch(
                    new EpochEndOffset().setEpoch(diverging.epoch()).setEndOffset(diverging.offset()));
        }
        if (request.version() >= LEADER_FROM) {
            addLeader(of, outcome.error(), data);
        }
        try {
            return data.setRecords(records(outcome.slice()));
        } catch (IOException e) {
            outcome.slice().release();
            return data.setErrorCode(Errors.KAFKA_STORAGE_ERROR.code()).setRecords(MemoryRecords.EMPTY);
        }
    }

    private BaseRecords records(LogSlice slice) throws IOException {
        if (slice.isEmpty()) {
            return MemoryRecords.EMPTY;
        }
        return plaintext && slice.prefersFileRegion()
                ? LeasedRecords.file(slice.channel(), slice.position(), slice.sizeBytes(), slice::release)
                : LeasedRecords.mapped(slice.view(), slice::release);
    }

    private void addLeader(Wanted of, Errors error, PartitionData data) {
        if (error != Errors.NOT_LEADER_OR_FOLLOWER && error != Errors.FENCED_LEADER_EPOCH) {
            return;
        }
        PartitionView view = of.topicId().equals(Uuid.ZERO_UUID)
                ? image.partition(of.topic(), of.index())
                : image.partition(of.topicId(), of.index());
        if (view == null) {
            return;
        }
        data.setCurrentLeader(new LeaderIdAndEpoch().setLeaderId(view.leader()).setLeaderEpoch(view.leaderEpoch()));
        image.aliveNode(view.leader(), request.client().listener().value()).ifPresent(node -> {
            if (response.nodeEndpoints().find(node.id()) == null) {
                response.nodeEndpoints()
                        .add(new NodeEndpoint()
                                .setNodeId(node.id())
                                .setHost(node.host())
                                .setPort(node.port())
                                .setRack(node.rack()));
            }
        });
    }

    /** Old clients do not know the storage error, but look for the leader again when told that this is not it. */
    private Errors wireError(Errors error) {
        return error == Errors.KAFKA_STORAGE_ERROR && request.version() < STORAGE_ERROR_FROM
                ? Errors.NOT_LEADER_OR_FOLLOWER
                : error;
    }

    private static @Nullable List<AbortedTransaction> aborted(@Nullable List<AbortedTxn> aborted) {
        return aborted == null
                ? null
                : aborted.stream()
                        .map(txn -> new AbortedTransaction()
                                .setProducerId(txn.producerId())
                                .setFirstOffset(txn.firstOffset()))
                        .toList();
    }
}
