package io.highwater.coordination.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class LeaderTermsTest {
    private final LeaderTerms terms = new LeaderTerms();
    private final List<String> heard = new ArrayList<>();

    @Test
    void nothingIsWrittenBeforeALoadBegins() {
        terms.onElected(0, 4, () -> {});

        assertThat(terms.writingEpoch(0)).isEqualTo(LeaderTerms.NONE);
    }

    @Test
    void aLoadedReignWritesInItsNewestEpoch() {
        terms.onElected(0, 4, () -> {});
        terms.onLoadStarted(0);

        terms.onElected(0, 5, () -> {});

        assertThat(terms.writingEpoch(0)).isEqualTo(5);
    }

    @Test
    void memoryOfALostReignWritesNothing() {
        terms.onElected(0, 4, () -> {});
        terms.onLoadStarted(0);
        terms.onResigned(0, OptionalInt.of(5), () -> {});

        terms.onElected(0, 6, () -> {});

        assertThat(terms.writingEpoch(0)).isEqualTo(LeaderTerms.NONE);
    }

    @Test
    void theEndOfALoadOfALostReignIsNotHeard() {
        terms.onElected(0, 4, () -> {});
        LeaderTerms.Load lost = terms.onLoadStarted(0);
        terms.onResigned(0, OptionalInt.of(5), () -> {});
        terms.onElected(0, 6, () -> {});
        LeaderTerms.Load present = terms.onLoadStarted(0);

        terms.onLoadEnded(0, lost, () -> heard.add("lost"));
        terms.onLoadEnded(0, present, () -> heard.add("present"));

        assertThat(heard).containsExactly("present");
        assertThat(terms.epochOf(0, lost)).isEqualTo(LeaderTerms.NONE);
        assertThat(terms.epochOf(0, present)).isEqualTo(6);
    }

    @Test
    void aLateResignationChangesNothing() {
        terms.onElected(0, 4, () -> {});
        terms.onLoadStarted(0);

        terms.onResigned(0, OptionalInt.of(4), () -> heard.add("resigned"));

        assertThat(terms.writingEpoch(0)).isEqualTo(4);
        assertThat(heard).isEmpty();
    }

    @Test
    void aLossIsToldOnlyWhenTheLoadOfTheReignHasBegun() {
        terms.onElected(0, 4, () -> heard.add("elected 4"));
        terms.onResigned(0, OptionalInt.of(5), () -> heard.add("resigned 5"));
        terms.onElected(0, 6, () -> heard.add("elected 6"));
        assertThat(heard).containsExactly("elected 4");

        LeaderTerms.Load first = terms.onLoadStarted(0);
        LeaderTerms.Load second = terms.onLoadStarted(0);

        assertThat(heard).containsExactly("elected 4", "resigned 5", "elected 6");
        assertThat(terms.epochOf(0, first)).isEqualTo(LeaderTerms.NONE);
        assertThat(terms.epochOf(0, second)).isEqualTo(6);
    }

    @Test
    void aDeletedPartitionEndsEveryReign() {
        terms.onElected(0, 4, () -> {});
        terms.onLoadStarted(0);

        terms.onResigned(0, OptionalInt.empty(), () -> {});

        assertThat(terms.writingEpoch(0)).isEqualTo(LeaderTerms.NONE);
    }
}
