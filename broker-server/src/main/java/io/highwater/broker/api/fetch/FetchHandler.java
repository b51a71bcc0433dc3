package io.highwater.broker.api.fetch;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchMetadata;
import org.apache.kafka.common.requests.FetchRequest;
import org.jspecify.annotations.Nullable;

/**
 * Gives records to consumers and replicas.
 *
 * <p>Waits until {@code minBytes} are there, at most {@code maxWaitMs}; not if a partition has an error or the reader's log
 * went astray. The first batch of the answer is given whole, whatever the limits say. v7: sessions, in which only what is
 * news is told. v11: a consumer may read from a follower. v12: the leader tells where a reader's log diverges. v13: topic ids
 * instead of names. v15: the follower says under which registration it reads. v16: where the leader is now.
 */
public final class FetchHandler implements ApiHandler<FetchRequestData> {
    private static final int TOPIC_IDS_FROM = 13;

    private final FetchServices services;
    private final FetchSessions sessions;
    private final FollowerWatch followers;

    /** The sessions may be shared among handlers. */
    public FetchHandler(FetchServices services, FetchSessions sessions) {
        this.services = services;
        this.sessions = sessions;
        this.followers = new FollowerWatch(services.partitions());
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, FetchRequestData body) {
        boolean byTopicId = request.version() >= TOPIC_IDS_FROM;
        List<Wanted> asked = asked(body);
        FetchMetadata metadata = new FetchMetadata(body.sessionId(), body.sessionEpoch());
        if (!metadata.isFull()) {
            return incremental(request, body, metadata, byTopicId, asked);
        }
        if (metadata.sessionId() != FetchMetadata.INVALID_SESSION_ID) {
            sessions.close(metadata.sessionId());
        }
        boolean wantsSession = metadata.epoch() != FetchMetadata.FINAL_EPOCH;
        int replicaId = FetchRequest.replicaId(body);
        boolean follower = FetchRequest.isValidBrokerId(replicaId);
        return new FetchTurn(services, request, body, asked, answered -> {
                    FetchSession session =
                            wantsSession && !asked.isEmpty() ? sessions.create(follower, byTopicId, asked) : null;
                    if (follower && session != null) {
                        followers.watch(session, replicaId, request.client());
                    }
                    return answered.all(session);
                })
                .start();
    }

    private Future<@Nullable ApiMessage> incremental(
            ApiRequest request, FetchRequestData body, FetchMetadata metadata, boolean byTopicId, List<Wanted> asked) {
        FetchSession session = sessions.find(metadata.sessionId());
        if (session == null) {
            return refused(Errors.FETCH_SESSION_ID_NOT_FOUND);
        }
        Errors error = session.update(metadata.epoch(), byTopicId, asked, body.forgottenTopicsData());
        if (error != Errors.NONE) {
            return refused(error);
        }
        List<Wanted> wanted = session.wanted();
        if (wanted.isEmpty()) {
            sessions.close(session.id());
            return new FetchTurn(services, request, body, asked, answered -> answered.all(null)).start();
        }
        sessions.touch(session);
        int replicaId = FetchRequest.replicaId(body);
        if (FetchRequest.isValidBrokerId(replicaId)) {
            followers.watch(session, replicaId, request.client());
        }
        return new FetchTurn(services, request, body, wanted, answered -> answered.news(session)).start();
    }

    private static List<Wanted> asked(FetchRequestData body) {
        List<Wanted> asked = new ArrayList<>();
        for (FetchRequestData.FetchTopic topic : body.topics()) {
            for (FetchRequestData.FetchPartition partition : topic.partitions()) {
                asked.add(Wanted.of(topic.topic(), topic.topicId(), partition));
            }
        }
        return asked;
    }

    private static Future<@Nullable ApiMessage> refused(Errors error) {
        return Future.succeededFuture(new FetchResponseData().setErrorCode(error.code()));
    }
}
