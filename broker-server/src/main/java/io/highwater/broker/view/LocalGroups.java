package io.highwater.broker.view;

import io.highwater.broker.view.LocalGroup.Committed;
import io.highwater.coordination.group.Caller;
import io.highwater.coordination.group.GroupCoordination;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/** The groups that this broker coordinates, with what they have committed. Any thread. */
final class LocalGroups {
    /** More groups are not shown. */
    static final int MOST_GROUPS = 500;

    /** More committed offsets of all groups together are not shown. */
    static final int MOST_OFFSETS = 20_000;

    private static final short LIST_VERSION = 5;
    private static final short OFFSETS_BY_NAME_VERSION = 9;
    private static final short DESCRIBE_VERSION = 5;
    private static final short CONSUMER_DESCRIBE_VERSION = 0;
    private static final String CLASSIC = "classic";
    private static final String CONSUMER = "consumer";

    private final GroupCoordination groups;
    private final int mostGroups;
    private final int mostOffsets;

    /** Tells of so many as a page may show. */
    LocalGroups(GroupCoordination groups) {
        this(groups, MOST_GROUPS, MOST_OFFSETS);
    }

    LocalGroups(GroupCoordination groups, int mostGroups, int mostOffsets) {
        this.groups = groups;
        this.mostGroups = mostGroups;
        this.mostOffsets = mostOffsets;
    }

    /** All of them; those that cannot be asked are missing. Never fails. */
    CompletionStage<List<LocalGroup>> all() {
        if (!groups.isInUse()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return groups.listGroups(caller(ApiKeys.LIST_GROUPS, LIST_VERSION), new ListGroupsRequestData())
                .thenCompose(this::describe)
                .exceptionally(failure -> List.of());
    }

    private CompletableFuture<List<LocalGroup>> describe(ListGroupsResponseData listed) {
        List<ListedGroup> some = listed.groups().stream()
                .sorted((one, other) -> one.groupId().compareTo(other.groupId()))
                .limit(mostGroups)
                .toList();
        CompletableFuture<Map<String, Integer>> classic = members(
                ids(some, CLASSIC),
                ids -> groups.describeGroups(caller(ApiKeys.DESCRIBE_GROUPS, DESCRIBE_VERSION), ids)
                        .thenApply(described -> described.stream()
                                .collect(Collectors.toMap(
                                        DescribeGroupsResponseData.DescribedGroup::groupId,
                                        group -> group.members().size(),
                                        Math::max))));
        CompletableFuture<Map<String, Integer>> consumer = members(
                ids(some, CONSUMER),
                ids -> groups.consumerGroupDescribe(
                                caller(ApiKeys.CONSUMER_GROUP_DESCRIBE, CONSUMER_DESCRIBE_VERSION), ids)
                        .thenApply(described -> described.stream()
                                .collect(Collectors.toMap(
                                        ConsumerGroupDescribeResponseData.DescribedGroup::groupId,
                                        group -> group.members().size(),
                                        Math::max))));
        List<CompletableFuture<OffsetFetchResponseGroup>> offsets =
                some.stream().map(this::offsets).toList();
        return CompletableFuture.allOf(
                        CompletableFuture.allOf(classic, consumer),
                        CompletableFuture.allOf(offsets.toArray(new CompletableFuture<?>[0])))
                .thenApply(done -> {
                    Map<String, Integer> members = new HashMap<>(classic.join());
                    members.putAll(consumer.join());
                    return put(some, members, offsets, mostOffsets);
                });
    }

    private static List<LocalGroup> put(
            List<ListedGroup> some,
            Map<String, Integer> members,
            List<CompletableFuture<OffsetFetchResponseGroup>> offsets,
            int mostOffsets) {
        List<LocalGroup> told = new ArrayList<>();
        int left = mostOffsets;
        for (int i = 0; i < some.size(); i++) {
            ListedGroup group = some.get(i);
            List<Committed> committed = committed(offsets.get(i).join(), left);
            left -= committed.size();
            told.add(new LocalGroup(
                    group.groupId(),
                    group.groupType(),
                    group.groupState(),
                    members.getOrDefault(group.groupId(), -1),
                    committed));
        }
        return told;
    }

    private static List<Committed> committed(OffsetFetchResponseGroup answer, int most) {
        List<Committed> committed = new ArrayList<>();
        for (OffsetFetchResponseTopics topic : answer.topics()) {
            for (OffsetFetchResponsePartitions partition : topic.partitions()) {
                if (partition.committedOffset() >= 0 && committed.size() < most) {
                    committed.add(new Committed(topic.name(), partition.partitionIndex(), partition.committedOffset()));
                }
            }
        }
        return committed;
    }

    private CompletableFuture<OffsetFetchResponseGroup> offsets(ListedGroup group) {
        OffsetFetchRequestGroup all =
                new OffsetFetchRequestGroup().setGroupId(group.groupId()).setTopics(null);
        return groups.fetchOffsets(caller(ApiKeys.OFFSET_FETCH, OFFSETS_BY_NAME_VERSION), all, false)
                .exceptionally(failure -> new OffsetFetchResponseGroup().setGroupId(group.groupId()));
    }

    private static CompletableFuture<Map<String, Integer>> members(
            List<String> ids, Function<List<String>, CompletableFuture<Map<String, Integer>>> describe) {
        return ids.isEmpty()
                ? CompletableFuture.completedFuture(Map.of())
                : describe.apply(ids).exceptionally(failure -> Map.of());
    }

    private static List<String> ids(List<ListedGroup> groups, String type) {
        return groups.stream()
                .filter(group -> group.groupType().equalsIgnoreCase(type))
                .map(ListedGroup::groupId)
                .toList();
    }

    private static Caller caller(ApiKeys api, short version) {
        return new Caller(
                api,
                version,
                "highwater-view",
                InetAddress.getLoopbackAddress(),
                KafkaPrincipal.ANONYMOUS,
                "",
                SecurityProtocol.PLAINTEXT,
                0);
    }
}
