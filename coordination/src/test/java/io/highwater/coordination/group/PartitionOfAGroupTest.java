package io.highwater.coordination.group;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients are sent to the partition that the library will look for, also where a name's hash is negative. */
class PartitionOfAGroupTest {
    @ParameterizedTest
    @CsvSource({"a, 97, 47", "billing, -109829509, 9", "orders, -1008770331, 31", "polygenelubricants, -2147483648, 0"})
    void isTheMagnitudeOfItsHashModuloThePartitions(String group, int hash, int partition) {
        assertThat(group.hashCode()).isEqualTo(hash);
        assertThat(GroupCoordination.partitionFor(group, 50)).isEqualTo(partition);
    }
}
