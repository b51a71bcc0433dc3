package io.highwater.broker.api.cluster;

import io.highwater.broker.api.RequestRouter;
import org.apache.kafka.common.message.AddRaftVoterRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeQuorumRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.ListPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.RemoveRaftVoterRequestData;
import org.apache.kafka.common.message.UnregisterBrokerRequestData;
import org.apache.kafka.common.message.UnregisterControllerRequestData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** The handlers of this package. */
public final class ClusterApis {
    private ClusterApis() {}

    /** Adds them to the router of the brokers' listeners. */
    public static RequestRouter.Builder addTo(
            RequestRouter.Builder router, ClusterNeeds needs, TopicAutoCreation autoCreation) {
        Forwarding forwarding = new Forwarding(needs.controlPlane());
        LeaderWait leaderWait = new LeaderWait(needs);
        router.handle(ApiKeys.METADATA, MetadataRequestData.class, new MetadataHandler(needs, autoCreation))
                .handle(ApiKeys.DESCRIBE_CLUSTER, DescribeClusterRequestData.class, new DescribeClusterHandler(needs))
                .handle(
                        ApiKeys.DESCRIBE_TOPIC_PARTITIONS,
                        DescribeTopicPartitionsRequestData.class,
                        new DescribeTopicPartitionsHandler(needs))
                .handle(
                        ApiKeys.CREATE_TOPICS,
                        CreateTopicsRequestData.class,
                        new CreateTopicsHandler(forwarding, leaderWait))
                .handle(
                        ApiKeys.CREATE_PARTITIONS,
                        CreatePartitionsRequestData.class,
                        new CreatePartitionsHandler(forwarding, leaderWait));
        forward(router, ApiKeys.DELETE_TOPICS, DeleteTopicsRequestData.class, forwarding);
        forward(router, ApiKeys.ELECT_LEADERS, ElectLeadersRequestData.class, forwarding);
        forward(
                router,
                ApiKeys.ALTER_PARTITION_REASSIGNMENTS,
                AlterPartitionReassignmentsRequestData.class,
                forwarding);
        forward(router, ApiKeys.LIST_PARTITION_REASSIGNMENTS, ListPartitionReassignmentsRequestData.class, forwarding);
        forward(router, ApiKeys.DESCRIBE_QUORUM, DescribeQuorumRequestData.class, forwarding);
        forward(router, ApiKeys.UPDATE_FEATURES, UpdateFeaturesRequestData.class, forwarding);
        forward(router, ApiKeys.UNREGISTER_BROKER, UnregisterBrokerRequestData.class, forwarding);
        forward(router, ApiKeys.ADD_RAFT_VOTER, AddRaftVoterRequestData.class, forwarding);
        forward(router, ApiKeys.REMOVE_RAFT_VOTER, RemoveRaftVoterRequestData.class, forwarding);
        forward(router, ApiKeys.UNREGISTER_CONTROLLER, UnregisterControllerRequestData.class, forwarding);
        return router;
    }

    private static <Q extends ApiMessage> void forward(
            RequestRouter.Builder router, ApiKeys api, Class<Q> bodyType, Forwarding forwarding) {
        router.handle(api, bodyType, new ForwardHandler<>(forwarding));
    }
}
