package io.highwater.broker.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.view.GroupsReport.GroupLag;
import io.highwater.broker.view.LocalGroup.Committed;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupMergeTest {
    @Test
    void lagIsNeverNegativeAndUnknownLagIsNotZero() {
        LocalGroup group = new LocalGroup(
                "g",
                "classic",
                "Empty",
                0,
                List.of(new Committed("t", 0, 7), new Committed("t", 1, 12), new Committed("t", 2, 5)));

        GroupsReport report = GroupMerge.merge(
                Map.of(2, List.of(group)), Map.of(new PartitionName("t", 0), 10L, new PartitionName("t", 1), 11L));

        assertThat(report.groups().get(0).lag()).isEqualTo(3);
        assertThat(report.groups().get(0).partitions())
                .containsExactly(
                        new GroupLag("t", 0, 7, 10, 3L),
                        new GroupLag("t", 1, 12, 11, 0L),
                        new GroupLag("t", 2, 5, -1, null));
    }

    @Test
    void aCoordinatorThatTellsAsMuchAsItMayMayHaveMore() {
        List<Committed> offsets = IntStream.range(0, LocalGroups.MOST_OFFSETS)
                .mapToObj(partition -> new Committed("t", partition, 1))
                .toList();

        assertThat(GroupMerge.merge(Map.of(1, groups(LocalGroups.MOST_GROUPS)), Map.of())
                        .more())
                .isTrue();
        assertThat(GroupMerge.merge(Map.of(1, List.of(new LocalGroup("g", "classic", "Empty", 0, offsets))), Map.of())
                        .more())
                .isTrue();
        assertThat(GroupMerge.merge(Map.of(1, groups(2), 2, groups(3)), Map.of())
                        .more())
                .isFalse();
    }

    @Test
    void moreGroupsThanTheBoundAreNotListed() {
        GroupsReport report = GroupMerge.merge(Map.of(1, groups(GroupMerge.MOST_GROUPS + 1)), Map.of());

        assertThat(report.more()).isTrue();
        assertThat(report.groups()).hasSize(GroupMerge.MOST_GROUPS);
    }

    private static List<LocalGroup> groups(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new LocalGroup("g" + i, "classic", "Empty", 0, List.of()))
                .toList();
    }
}
