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
    void moreGroupsThanTheBoundAreNotListed() {
        List<LocalGroup> many = IntStream.range(0, GroupMerge.MOST_GROUPS + 1)
                .mapToObj(i -> new LocalGroup("g" + i, "classic", "Empty", 0, List.of()))
                .toList();

        GroupsReport report = GroupMerge.merge(Map.of(1, many), Map.of());

        assertThat(report.more()).isTrue();
        assertThat(report.groups()).hasSize(GroupMerge.MOST_GROUPS);
    }
}
