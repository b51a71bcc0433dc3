package io.highwater.broker.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LocalQuestionTest {
    private static final LocalQuestion REPLICAS =
            LocalQuestion.about(List.of(new ReplicaQuestion("orders", List.of(0), List.of(0))));
    private static final LocalQuestion EVENTS = LocalQuestion.events(EventFilter.since(3, 9));

    @Test
    void whatAStreamAsksInOneGoIsOneQuestion() {
        LocalQuestion both = LocalQuestion.NOTHING.with(REPLICAS);

        assertThat(both).isEqualTo(REPLICAS);
        assertThat(REPLICAS.with(EVENTS))
                .returns(REPLICAS.replicas(), LocalQuestion::replicas)
                .returns(EVENTS.events(), LocalQuestion::events);
    }

    @Test
    void whatWouldBeLostOrWaitedForIsNot() {
        assertThat(REPLICAS.with(REPLICAS)).isNull();
        assertThat(EVENTS.with(EVENTS)).isNull();
        assertThat(REPLICAS.with(LocalQuestion.ofGroups())).isNull();
        assertThat(LocalQuestion.step(StepCommand.LOOK).with(REPLICAS)).isNull();
    }
}
