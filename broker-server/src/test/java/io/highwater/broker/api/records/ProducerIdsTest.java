package io.highwater.broker.api.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.controlplane.ProducerIdBlock;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ProducerIdsTest {
    private final Deque<CompletableFuture<ProducerIdBlock>> asked = new ArrayDeque<>();
    private final ProducerIds ids = new ProducerIds(() -> {
        CompletableFuture<ProducerIdBlock> answer = new CompletableFuture<>();
        asked.add(answer);
        return answer;
    });

    @Test
    void theFirstAskersWaitForOneBlockTogether() {
        Future<Long> one = ids.next();
        Future<Long> two = ids.next();
        assertThat(asked).hasSize(1);
        assertThat(one.isComplete()).isFalse();

        asked.remove().complete(new ProducerIdBlock(500, 1000));

        assertThat(one.result()).isEqualTo(500);
        assertThat(two.result()).isEqualTo(501);
        assertThat(ids.next().result()).isEqualTo(502);
    }

    @Test
    void theNextBlockIsFetchedBeforeTheLastIdIsGone() {
        List<Long> given = new ArrayList<>();
        ids.next();
        asked.remove().complete(new ProducerIdBlock(0, 10));
        for (int i = 1; i < 8; i++) {
            given.add(ids.next().result());
        }
        assertThat(asked).isEmpty();

        given.add(ids.next().result());
        assertThat(asked).hasSize(1);
        asked.remove().complete(new ProducerIdBlock(70, 10));
        given.add(ids.next().result());
        given.add(ids.next().result());

        assertThat(given).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 70L);
    }

    @Test
    void moreAskersThanABlockHasGetIdsOfTheNext() {
        List<Future<Long>> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(ids.next());
        }

        asked.remove().complete(new ProducerIdBlock(0, 2));
        asked.remove().complete(new ProducerIdBlock(10, 2));
        asked.remove().complete(new ProducerIdBlock(20, 2));

        assertThat(all).extracting(Future::result).containsExactly(0L, 1L, 10L, 11L, 20L);
    }

    @Test
    void withoutAControllerTheAskersFailAndMayComeAgain() {
        Future<Long> first = ids.next();
        asked.remove().completeExceptionally(new IllegalStateException("no controller"));
        assertThat(first.failed()).isTrue();

        Future<Long> second = ids.next();
        asked.remove().complete(new ProducerIdBlock(3, 5));

        assertThat(second.result()).isEqualTo(3);
    }
}
