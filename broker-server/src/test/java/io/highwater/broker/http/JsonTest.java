package io.highwater.broker.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.broker.journal.IsrChange;
import io.highwater.broker.view.AcksSeen;
import io.highwater.broker.view.EventFilter;
import io.highwater.broker.view.EventPage;
import io.highwater.broker.view.HeldFetch;
import io.highwater.broker.view.LocalAnswer;
import io.highwater.broker.view.LocalGroup;
import io.highwater.broker.view.LocalQuestion;
import io.highwater.broker.view.LocalStep;
import io.highwater.broker.view.PartitionName;
import io.highwater.broker.view.ReplicaQuestion;
import io.highwater.broker.view.StepCommand;
import io.highwater.broker.view.Watermark;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void whatBrokersTellEachOtherComesBackAsItWas() {
        LocalAnswer answer = new LocalAnswer(
                1,
                "cluster",
                "0 0 1 ",
                List.of(new Watermark("t", 0, 9_007_199_254_740_993L)),
                List.of(new LocalAnswer.Unread("t", 0, 3, 5, 1_796_009_517_150L)),
                new EventPage(8, List.of()),
                List.of(new IsrChange("t", 0, 2, 1, 5, null, "why \"quoted\"\n\u0001", true)),
                List.of(new LocalGroup("g", "classic", "Empty", 0, List.of(new LocalGroup.Committed("t", 0, 3)))),
                List.of(new AcksSeen("t", 0, 77)),
                new LocalStep(true, List.of(2), List.of(new HeldFetch(1, 2, 3, List.of()))));
        LocalQuestion question = new LocalQuestion(
                List.of(new ReplicaQuestion("t", List.of(0, 7), List.of(0, -5))),
                List.of(),
                List.of(new LocalQuestion.Position("t", 0, 3)),
                new EventFilter(new PartitionName("t", 0), "LEADING", -1, 0, 9),
                null,
                true,
                false,
                StepCommand.LOOK);

        assertThat(JsonRecords.read(Json.write(answer), LocalAnswer.class)).isEqualTo(answer);
        assertThat(JsonRecords.read(Json.write(question), LocalQuestion.class)).isEqualTo(question);
    }

    @Test
    void anOlderBrokersQuestionLacksWhatItDoesNotKnow() {
        assertThat(JsonRecords.read("{\"groups\":true,\"later\":[1]}", LocalQuestion.class))
                .isEqualTo(LocalQuestion.ofGroups());
    }

    @Test
    void whatIsNoQuestionIsRefused() {
        for (String text : List.of("", "[]", "{\"groups\":3}", "{\"replicas\":[7]}", "{\"replicas\":{}}")) {
            assertThatThrownBy(() -> JsonRecords.read(text, LocalQuestion.class))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void ofAnOlderBrokersAnswerNoReplicaIsRead() {
        assertThat(JsonRecords.read("{\"brokerId\":1}", LocalAnswer.class).replicas())
                .isEmpty();
    }

    @Test
    void textIsEscaped() {
        assertThat(Json.write(Map.of("error", "a \"b\" \\ c\n\t\u0002")))
                .isEqualTo("{\"error\":\"a \\\"b\\\" \\\\ c\\n\\t\\u0002\"}");
    }
}
