package io.highwater.broker.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.api.TestCluster;
import io.highwater.broker.view.LocalAnswer.Unread;
import io.highwater.broker.view.LocalQuestion.Position;
import io.highwater.controlplane.BrokerView;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ImageBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnreadElsewhereTest {
    private static final long PATIENCE_MS = 10_000;
    private static final Position OF_TWO = new Position("second", 0, 7);
    private static final Position OF_THREE = new Position("third", 0, 4);

    private final ImageBuilder image = ClusterImage.builder();
    private final List<LocalQuestion> asked = new ArrayList<>();
    private final Map<Integer, CompletableFuture<@Nullable LocalAnswer>> answers = new HashMap<>();
    private long nowMs = 1_000;

    private UnreadElsewhere here() {
        for (int id = 1; id <= 3; id++) {
            image.broker(TestCluster.broker(id, false, "PLAINTEXT"));
        }
        image.topic(TestCluster.topic("second", 1, 2));
        image.topic(TestCluster.topic("third", 1, 3));
        ClusterImage built = image.build();
        return new UnreadElsewhere(1, () -> built, this::ask, () -> nowMs);
    }

    private CompletionStage<@Nullable LocalAnswer> ask(BrokerView broker, LocalQuestion question) {
        asked.add(question);
        return answers.getOrDefault(broker.id(), CompletableFuture.completedFuture(null));
    }

    private void answers(int broker, Unread... unread) {
        answers.put(broker, CompletableFuture.completedFuture(answer(broker, unread)));
    }

    private static LocalAnswer answer(int broker, Unread... unread) {
        return new LocalAnswer(
                broker, "cluster", "", List.of(), List.of(unread), null, List.of(), List.of(), List.of(), null);
    }

    @Test
    void eachLeaderIsAskedAboutWhatItLeads() {
        UnreadElsewhere elsewhere = here();
        Unread ofTwo = new Unread("second", 0, 7, 9, 500);
        Unread ofThree = new Unread("third", 0, 4, 4, -1);
        answers(2, ofTwo);
        answers(3, ofThree);

        assertThat(elsewhere.of(Set.of(OF_TWO, OF_THREE, new Position("gone", 0, 1)), PATIENCE_MS))
                .containsOnly(Map.entry(OF_TWO, ofTwo), Map.entry(OF_THREE, ofThree));
        assertThat(asked)
                .containsExactlyInAnyOrder(
                        LocalQuestion.positions(List.of(OF_TWO)), LocalQuestion.positions(List.of(OF_THREE)));
    }

    @Test
    void whatASilentLeaderHasSaidIsToldForAWhileAlsoToAGroupThatHasMovedOn() {
        UnreadElsewhere elsewhere = here();
        answers(2, new Unread("second", 0, 7, 9, 500));
        elsewhere.of(Set.of(OF_TWO), PATIENCE_MS);
        answers.remove(2);

        Position further = new Position("second", 0, 8);
        nowMs += UnreadElsewhere.KEPT_MS;

        assertThat(elsewhere.of(Set.of(OF_TWO, further), PATIENCE_MS))
                .containsOnly(
                        Map.entry(OF_TWO, new Unread("second", 0, 7, 9, 500)),
                        Map.entry(further, new Unread("second", 0, 8, 9, -1)));
        nowMs++;
        assertThat(elsewhere.of(Set.of(OF_TWO, further), PATIENCE_MS)).isEmpty();
    }

    @Test
    void anAnswerThatComesTooLateIsForTheNextTime() {
        UnreadElsewhere elsewhere = here();
        CompletableFuture<@Nullable LocalAnswer> late = new CompletableFuture<>();
        Unread ofTwo = new Unread("second", 0, 7, 9, 500);
        answers.put(2, late);

        assertThat(elsewhere.of(Set.of(OF_TWO), 1)).isEmpty();
        late.complete(answer(2, ofTwo));
        answers.remove(2);

        assertThat(elsewhere.of(Set.of(OF_TWO), PATIENCE_MS)).containsOnly(Map.entry(OF_TWO, ofTwo));
    }

    @Test
    void thereIsABoundToQuestionsAndToWhatOneAsks() {
        UnreadElsewhere elsewhere = here();
        Set<Position> many = new HashSet<>();
        for (int i = 0; i <= LocalQuestion.MOST_POSITIONS * UnreadElsewhere.MOST_QUESTIONS; i++) {
            many.add(new Position("second", 0, i));
        }

        elsewhere.of(many, PATIENCE_MS);

        assertThat(asked)
                .hasSize(UnreadElsewhere.MOST_QUESTIONS)
                .allSatisfy(question ->
                        assertThat(question.positions()).hasSizeLessThanOrEqualTo(LocalQuestion.MOST_POSITIONS));
    }

    @Test
    void aReplicaThatIsOutOfSyncIsNotBelieved() {
        UnreadElsewhere elsewhere = here();

        assertThat(elsewhere.isBehindHere("second", 0)).isTrue();
        assertThat(elsewhere.isBehindHere("gone", 0)).isFalse();
    }
}
