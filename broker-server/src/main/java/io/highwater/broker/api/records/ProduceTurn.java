package io.highwater.broker.api.records;

import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.api.UnanswerableException;
import io.highwater.broker.partition.AppendOutcome;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.LeaderIdAndEpoch;
import org.apache.kafka.common.message.ProduceResponseData.NodeEndpoint;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** One Produce on its way to its answer: each partition fills its own part, the last one completes it. */
final class ProduceTurn {
    private static final int LEADER_FROM = 10;

    private final ApiRequest request;
    private final boolean wantsAnswer;
    private final Supplier<ClusterImage> image;
    private final ProduceResponseData response = new ProduceResponseData();
    private final Promise<@Nullable ApiMessage> promise = Promise.promise();

    /** Those who are not done, and the one who still adds. */
    private final AtomicInteger pending = new AtomicInteger(1);

    private volatile Errors anyError = Errors.NONE;

    ProduceTurn(ApiRequest request, ProduceRequestData body, Supplier<ClusterImage> image) {
        this.request = request;
        this.wantsAnswer = body.acks() != 0;
        this.image = image;
    }

    void add(TopicProduceData topic, PartitionProduceData sent, Future<AppendOutcome> outcome) {
        PartitionProduceResponse part = new PartitionProduceResponse().setIndex(sent.index());
        topicOf(topic).partitionResponses().add(part);
        if (outcome.isComplete()) {
            fill(topic, part, outcome.result());
            return;
        }
        pending.incrementAndGet();
        outcome.onComplete(done -> {
            fill(topic, part, done.result());
            partDone();
        });
    }

    /** After the last {@link #add}. */
    Future<@Nullable ApiMessage> answer() {
        partDone();
        return promise.future();
    }

    private void partDone() {
        if (pending.decrementAndGet() > 0) {
            return;
        }
        if (wantsAnswer) {
            promise.complete(response);
        } else if (anyError == Errors.NONE) {
            promise.complete(null);
        } else {
            promise.fail(new UnanswerableException(
                    anyError, "with acks=0 there is no other way to say that records were refused: " + anyError));
        }
    }

    private TopicProduceResponse topicOf(TopicProduceData topic) {
        TopicProduceResponse part = response.responses().find(topic.name(), topic.topicId());
        if (part == null) {
            part = new TopicProduceResponse().setName(topic.name()).setTopicId(topic.topicId());
            response.responses().add(part);
        }
        return part;
    }

    private void fill(TopicProduceData topic, PartitionProduceResponse part, AppendOutcome outcome) {
        part.setErrorCode(outcome.error().code())
                .setBaseOffset(outcome.baseOffset())
                .setLogAppendTimeMs(outcome.logAppendTimeMs())
                .setLogStartOffset(outcome.logStartOffset());
        if (outcome.error() == Errors.NONE) {
            return;
        }
        anyError = outcome.error();
        part.setErrorMessage(outcome.errorMessage());
        for (AppendOutcome.BadRecord record : outcome.recordErrors()) {
            part.recordErrors()
                    .add(new BatchIndexAndErrorMessage()
                            .setBatchIndex(record.batchIndex())
                            .setBatchIndexErrorMessage(record.message()));
        }
        if (outcome.error() == Errors.NOT_LEADER_OR_FOLLOWER && request.version() >= LEADER_FROM) {
            addLeader(topic, part);
        }
    }

    private void addLeader(TopicProduceData topic, PartitionProduceResponse part) {
        ClusterImage now = image.get();
        PartitionView view = topic.topicId().equals(Uuid.ZERO_UUID)
                ? now.partition(topic.name(), part.index())
                : now.partition(topic.topicId(), part.index());
        if (view == null) {
            return;
        }
        part.setCurrentLeader(new LeaderIdAndEpoch().setLeaderId(view.leader()).setLeaderEpoch(view.leaderEpoch()));
        now.aliveNode(view.leader(), request.client().listener().value()).ifPresent(node -> {
            synchronized (this) {
                if (response.nodeEndpoints().find(node.id()) == null) {
                    response.nodeEndpoints()
                            .add(new NodeEndpoint()
                                    .setNodeId(node.id())
                                    .setHost(node.host())
                                    .setPort(node.port())
                                    .setRack(node.rack()));
                }
            }
        });
    }
}
