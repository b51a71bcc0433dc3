package io.highwater.broker.view;

import io.highwater.broker.view.GroupsReport.GroupLag;
import io.highwater.broker.view.GroupsReport.GroupState;
import io.highwater.broker.view.LocalGroup.Committed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Puts together what coordinators know of groups and what leaders know of partitions. Pure. */
final class GroupMerge {
    /** More groups are not listed. */
    static final int MOST_GROUPS = 1_000;

    private GroupMerge() {}

    /** All partitions that groups have committed in, once each. */
    static Set<PartitionName> partitions(Map<Integer, List<LocalGroup>> byCoordinator) {
        Set<PartitionName> names = new TreeSet<>();
        for (List<LocalGroup> groups : byCoordinator.values()) {
            for (LocalGroup group : groups) {
                for (Committed committed : group.committed()) {
                    if (names.size() < LocalQuestion.MOST_WATERMARKS) {
                        names.add(new PartitionName(committed.topic(), committed.partition()));
                    }
                }
            }
        }
        return names;
    }

    static GroupsReport merge(Map<Integer, List<LocalGroup>> byCoordinator, Map<PartitionName, Long> highWatermarks) {
        List<GroupState> all = new ArrayList<>();
        byCoordinator.forEach((coordinator, groups) -> {
            for (LocalGroup group : groups) {
                all.add(state(coordinator, group, highWatermarks));
            }
        });
        all.sort(Comparator.comparing(GroupState::id).thenComparingInt(GroupState::coordinator));
        boolean more =
                all.size() > MOST_GROUPS || byCoordinator.values().stream().anyMatch(GroupMerge::mayBeCut);
        return new GroupsReport(more, List.copyOf(all.subList(0, Math.min(all.size(), MOST_GROUPS))));
    }

    /** A coordinator that tells as much as it may does not say whether it has more. */
    private static boolean mayBeCut(List<LocalGroup> groups) {
        return groups.size() >= LocalGroups.MOST_GROUPS
                || groups.stream().mapToInt(group -> group.committed().size()).sum() >= LocalGroups.MOST_OFFSETS;
    }

    private static GroupState state(int coordinator, LocalGroup group, Map<PartitionName, Long> highWatermarks) {
        List<GroupLag> partitions = new ArrayList<>();
        long sum = 0;
        for (Committed committed : group.committed()) {
            Long highWatermark = highWatermarks.get(new PartitionName(committed.topic(), committed.partition()));
            // The commit may be newer than the watermark that was asked for before or elsewhere.
            Long lag = highWatermark == null ? null : Math.max(0, highWatermark - committed.offset());
            sum += lag == null ? 0 : lag;
            partitions.add(new GroupLag(
                    committed.topic(),
                    committed.partition(),
                    committed.offset(),
                    highWatermark == null ? -1 : highWatermark,
                    lag));
        }
        partitions.sort(Comparator.comparing(GroupLag::topic).thenComparingInt(GroupLag::partition));
        return new GroupState(
                group.id(), group.type(), group.state(), group.members(), coordinator, sum, List.copyOf(partitions));
    }
}
