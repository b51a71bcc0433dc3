package io.highwater.broker.api.cluster;

import io.highwater.broker.api.ApiHandler;
import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.api.AuthorizedOperations;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.PartitionView;
import io.highwater.controlplane.TopicView;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.MetadataRequest;
import org.jspecify.annotations.Nullable;

/**
 * Tells which brokers there are and who leads what. Never waits: a topic that is missing and may be created by use is asked of the
 * controller, and the client is told UNKNOWN_TOPIC_OR_PARTITION, so that it asks again. A leader on this broker is not named before it takes
 * records: an idempotent producer whose first batch is refused and whose second is not would be stuck.
 *
 * <p>v0: no topics means all, and a replica out of reach is an error. v1: null means all. v4: the client may forbid creation.
 * v6: LISTENER_NOT_FOUND where LEADER_NOT_AVAILABLE was said before. v8: authorized operations on request (those of the cluster up
 * to v10). v10: topic ids in answers. v12: topics may be asked for by id.
 */
final class MetadataHandler implements ApiHandler<MetadataRequestData> {
    private static final int NULL_MEANS_ALL_FROM = 1;
    private static final int LISTENER_ERRORS_FROM = 6;
    private static final int OPERATIONS_FROM = 8;
    private static final int CLUSTER_OPERATIONS_UP_TO = 10;
    private static final int ASKED_BY_ID_FROM = 12;

    private final ClusterNeeds needs;
    private final TopicAutoCreation autoCreation;
    private final int nodeId;

    MetadataHandler(ClusterNeeds needs, TopicAutoCreation autoCreation) {
        this.needs = needs;
        this.autoCreation = autoCreation;
        this.nodeId = needs.config().current().nodeId();
    }

    @Override
    public Future<@Nullable ApiMessage> handle(ApiRequest request, MetadataRequestData body) {
        Optional<String> wrong = whatIsWrong(request.version(), body);
        return Future.succeededFuture(
                wrong.isPresent()
                        ? new MetadataRequest(body, request.version())
                                .getErrorResponse(0, new InvalidRequestException(wrong.get()))
                                .data()
                        : answer(request, body));
    }

    private static Optional<String> whatIsWrong(short version, MetadataRequestData body) {
        if (version >= ASKED_BY_ID_FROM || body.topics() == null) {
            return Optional.empty();
        }
        for (MetadataRequestTopic topic : body.topics()) {
            if (topic.name() == null) {
                return Optional.of("a topic without a name cannot be asked for before version " + ASKED_BY_ID_FROM);
            }
            if (!topic.topicId().equals(Uuid.ZERO_UUID)) {
                return Optional.of("topic ids cannot be asked for before version " + ASKED_BY_ID_FROM);
            }
        }
        return Optional.empty();
    }

    private MetadataResponseData answer(ApiRequest request, MetadataRequestData body) {
        short version = request.version();
        ClusterImage image = needs.controlPlane().image();
        ReplicaSight sight = new ReplicaSight(image, request.client().listener().value());
        MetadataResponseData answer =
                new MetadataResponseData().setClusterId(needs.clusterId()).setControllerId(AliveBrokers.any(image));
        image.aliveNodes(sight.listener()).forEach(node -> answer.brokers().add(broker(node)));
        if (wantsAll(version, body)) {
            image.topics().forEach(topic -> answer.topics().add(topic(topic, sight, version)));
        } else {
            addNamed(answer, request, body, sight);
        }
        if (version >= OPERATIONS_FROM && body.includeTopicAuthorizedOperations()) {
            answer.topics().forEach(topic -> topic.setTopicAuthorizedOperations(AuthorizedOperations.ALL_OF_TOPIC));
        }
        if (version >= OPERATIONS_FROM
                && version <= CLUSTER_OPERATIONS_UP_TO
                && body.includeClusterAuthorizedOperations()) {
            answer.setClusterAuthorizedOperations(AuthorizedOperations.ALL_OF_CLUSTER);
        }
        return answer;
    }

    private void addNamed(
            MetadataResponseData answer, ApiRequest request, MetadataRequestData body, ReplicaSight sight) {
        Set<Uuid> ids = new LinkedHashSet<>();
        Set<String> names = new LinkedHashSet<>();
        for (MetadataRequestTopic asked : body.topics()) {
            if (!asked.topicId().equals(Uuid.ZERO_UUID)) {
                ids.add(asked.topicId());
            } else if (asked.name() != null) {
                names.add(asked.name());
            }
        }
        if (!ids.isEmpty()) {
            // As soon as one id is given, names are not looked at.
            ids.forEach(id -> answer.topics().add(byId(id, sight, request.version())));
            return;
        }
        List<String> missing = new ArrayList<>();
        for (String name : names) {
            TopicView topic = sight.image().topic(name);
            if (topic == null) {
                missing.add(name);
            } else {
                answer.topics().add(topic(topic, sight, request.version()));
            }
        }
        boolean create =
                body.allowAutoTopicCreation() && needs.config().current().getBoolean("auto.create.topics.enable");
        errorsOf(missing, create, request)
                .forEach((name, error) -> answer.topics()
                        .add(new MetadataResponseTopic()
                                .setErrorCode(error.code())
                                .setName(name)
                                .setIsInternal(Topic.isInternal(name))));
    }

    private Map<String, Errors> errorsOf(Collection<String> missing, boolean create, ApiRequest request) {
        if (missing.isEmpty()) {
            return Map.of();
        }
        if (create) {
            return autoCreation.start(missing, Forwarding.callerOf(request.client()));
        }
        Map<String, Errors> errors = new TreeMap<>();
        missing.forEach(name -> errors.put(
                name,
                TopicAutoCreation.isValid(name) ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.INVALID_TOPIC_EXCEPTION));
        return errors;
    }

    private static boolean wantsAll(short version, MetadataRequestData body) {
        return body.topics() == null
                || (version < NULL_MEANS_ALL_FROM && body.topics().isEmpty());
    }

    private MetadataResponseTopic byId(Uuid id, ReplicaSight sight, short version) {
        TopicView topic = sight.image().topic(id);
        return topic != null
                ? topic(topic, sight, version)
                : new MetadataResponseTopic()
                        .setErrorCode(Errors.UNKNOWN_TOPIC_ID.code())
                        .setName(null)
                        .setTopicId(id);
    }

    private static MetadataResponseBroker broker(Node node) {
        return new MetadataResponseBroker()
                .setNodeId(node.id())
                .setHost(node.host())
                .setPort(node.port())
                .setRack(node.rack());
    }

    private MetadataResponseTopic topic(TopicView topic, ReplicaSight sight, short version) {
        List<MetadataResponsePartition> partitions =
                new ArrayList<>(topic.partitions().size());
        topic.partitions().forEach(partition -> partitions.add(partition(partition, sight, version)));
        return new MetadataResponseTopic()
                .setName(topic.name())
                .setTopicId(topic.id())
                .setIsInternal(Topic.isInternal(topic.name()))
                .setPartitions(partitions);
    }

    private MetadataResponsePartition partition(PartitionView partition, ReplicaSight sight, short version) {
        boolean onlyReachable = version < NULL_MEANS_ALL_FROM;
        List<Integer> replicas = onlyReachable ? sight.reachable(partition.replicas()) : partition.replicas();
        List<Integer> inSync = onlyReachable ? sight.reachable(partition.inSyncReplicas()) : partition.inSyncReplicas();
        boolean soon = partition.leader() == nodeId && !needs.leaders().isServing(partition.topic(), partition.index());
        Optional<Node> leader = soon ? Optional.empty() : sight.leader(partition);
        Errors error = soon
                ? Errors.LEADER_NOT_AVAILABLE
                : error(partition, sight, version, leader.isPresent(), replicas, inSync);
        return new MetadataResponsePartition()
                .setErrorCode(error.code())
                .setPartitionIndex(partition.index())
                .setLeaderId(leader.map(Node::id).orElse(PartitionView.NO_LEADER))
                .setLeaderEpoch(partition.leaderEpoch())
                .setReplicaNodes(replicas)
                .setIsrNodes(inSync)
                .setOfflineReplicas(sight.offline(partition));
    }

    private static Errors error(
            PartitionView partition,
            ReplicaSight sight,
            short version,
            boolean hasLeader,
            List<Integer> replicas,
            List<Integer> inSync) {
        if (!hasLeader) {
            return version >= LISTENER_ERRORS_FROM && sight.isRegistered(partition.leader())
                    ? Errors.LISTENER_NOT_FOUND
                    : Errors.LEADER_NOT_AVAILABLE;
        }
        boolean allReachable = replicas.size() == partition.replicas().size()
                && inSync.size() == partition.inSyncReplicas().size();
        return allReachable ? Errors.NONE : Errors.REPLICA_NOT_AVAILABLE;
    }
}
