package io.highwater.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.Node;
import org.junit.jupiter.api.Test;

class AbsenteesTest {
    private static final Node NODE = new Node(3, "localhost", 9093);

    private final Absentees absentees = new Absentees();

    @Test
    void oneThatIsAwayIsNewsOnce() {
        assertThat(absentees.missed(NODE)).isTrue();
        assertThat(absentees.missed(NODE)).isFalse();
        assertThat(absentees.missed(new Node(4, "localhost", 9094))).isTrue();
    }

    @Test
    void oneThatIsBackIsNewsOnceAndMayGoAgain() {
        absentees.missed(NODE);

        assertThat(absentees.met(NODE)).isTrue();
        assertThat(absentees.met(NODE)).isFalse();
        assertThat(absentees.missed(NODE)).isTrue();
    }

    @Test
    void oneThatWasNeverAwayIsNoNews() {
        assertThat(absentees.met(NODE)).isFalse();
    }

    @Test
    void theSameAddressIsTheSameNodeWhateverItsId() {
        absentees.missed(new Node(-2, "localhost", 9093));

        assertThat(absentees.missed(NODE)).isFalse();
        assertThat(absentees.met(NODE)).isTrue();
    }
}
