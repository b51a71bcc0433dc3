package io.highwater.broker.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster in one look.
 *
 * @param clusterId its id
 * @param brokerId who answers
 * @param controller the active controller, -1 if the one who answers does not know
 * @param metadataOffset of the metadata that the one who answers has
 * @param brokers ascending by id
 * @param more whether there are more topics
 * @param topics by name
 */
public record ClusterReport(
        String clusterId,
        int brokerId,
        int controller,
        long metadataOffset,
        List<BrokerState> brokers,
        boolean more,
        List<TopicState> topics) {

    /** More topics are not listed. */
    public static final int MOST_TOPICS = 2_000;

    /**
     * One broker.
     *
     * @param id its node id
     * @param state RUNNING, FENCED, SHUTTING_DOWN, or UNREACHABLE if it does not answer the one who answers here
     * @param host where clients find it
     * @param port where clients find it
     * @param rack where it stands; null if it does not say
     * @param http address of its HTTP as host:port; null if it has none
     * @param leaders how many partitions it leads
     * @param replicas how many replicas it has
     */
    public record BrokerState(
            int id,
            String state,
            String host,
            int port,
            @Nullable String rack,
            @Nullable String http,
            int leaders,
            int replicas) {}

    /**
     * One topic.
     *
     * @param name its name
     * @param internal whether it is Kafka's own
     * @param partitions how many it has
     * @param replicationFactor copies of its first partition
     * @param minInsyncReplicas fewer refuse acks=all
     * @param underReplicated partitions that miss replicas in the ISR
     * @param offline partitions without a leader
     */
    public record TopicState(
            String name,
            boolean internal,
            int partitions,
            int replicationFactor,
            int minInsyncReplicas,
            int underReplicated,
            int offline) {}

    /** Whether it tells something that {@code before} does not; the mere growth of metadata is no news. */
    public boolean isNewsAfter(@Nullable ClusterReport before) {
        return before == null
                || controller != before.controller
                || more != before.more
                || !brokers.equals(before.brokers)
                || !topics.equals(before.topics);
    }
}
