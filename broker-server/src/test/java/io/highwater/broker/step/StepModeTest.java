package io.highwater.broker.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.api.ApiRequest;
import io.highwater.broker.api.Client;
import io.highwater.broker.api.Requests;
import io.highwater.broker.view.HeldFetch;
import io.highwater.broker.view.LocalStep;
import io.highwater.broker.view.StepCommand;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ReplicaState;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StepModeTest {
    private static final Uuid TOPIC = new Uuid(7, 7);

    private final List<ApiMessage> handled = new ArrayList<>();
    private long nowMs = 1_000;
    private final StepMode step = new StepMode(1, id -> id.equals(TOPIC) ? "orders" : null, () -> nowMs);

    @Test
    void onlyFetchesOfThatFollowerAreHeldAndLetGoOneByOne() {
        step.on(new StepCommand("hold", 2));

        Future<@Nullable ApiMessage> first = ask(fetch(2, 10));
        Future<@Nullable ApiMessage> second = ask(fetch(2, 12));
        ask(fetch(3, 10));
        ask(fetch(-1, 10));
        ask(Requests.request(ApiKeys.METADATA, 12, new MetadataRequestData()));

        assertThat(handled).hasSize(3);
        nowMs += 40;
        assertThat(step.on(StepCommand.LOOK).held()).containsExactly(held(10), held(12));

        step.on(new StepCommand("release", 2));
        assertThat(first.isComplete()).isTrue();
        assertThat(second.isComplete()).isFalse();

        LocalStep ended = step.on(new StepCommand("end", -1));
        assertThat(second.isComplete()).isTrue();
        assertThat(ended.holding()).isEmpty();
        ask(fetch(2, 14));
        assertThat(handled).hasSize(6);
    }

    @Test
    void aFetchWhoseConnectionEndsIsHeldNoMore() {
        step.on(new StepCommand("hold", 2));
        Promise<Void> closed = Promise.promise();
        ApiRequest request = fetch(2, 10);
        Client client = request.client();
        Client leaving = new Client(
                "2",
                client.listener(),
                client.securityProtocol(),
                false,
                client.principal(),
                client.address(),
                closed.future());
        Future<@Nullable ApiMessage> answer =
                ask(new ApiRequest(request.api(), request.header(), request.body(), 0, leaving, 0, () -> {}));

        closed.complete();

        assertThat(answer.isComplete()).isTrue();
        assertThat(step.on(StepCommand.LOOK).held()).isEmpty();
        assertThat(handled).isEmpty();
    }

    @Test
    void moreThanTheBoundAreLetThrough() {
        step.on(new StepCommand("hold", 2));

        for (int i = 0; i < StepMode.MOST_HELD + 1; i++) {
            ask(fetch(2, i));
        }

        assertThat(handled).hasSize(1);
        assertThat(step.on(StepCommand.LOOK).held()).hasSize(StepMode.MOST_HELD);
    }

    @Test
    void whatWasForgottenEndsWithTheNextFetch() {
        step.on(new StepCommand("hold", 2));
        ask(fetch(2, 10));
        nowMs += StepMode.FORGOTTEN_MS + 1;

        ask(fetch(2, 10));

        assertThat(handled).hasSize(2);
        assertThat(step.on(StepCommand.LOOK).holding()).isEmpty();
    }

    private static HeldFetch held(long fetchOffset) {
        return new HeldFetch(1, 2, 40, List.of(new HeldFetch.From("orders", 0, fetchOffset)));
    }

    private Future<@Nullable ApiMessage> ask(ApiRequest request) {
        return step.intercept(request, Runnable::run, () -> {
            handled.add(request.body());
            return Future.succeededFuture(new FetchResponseData());
        });
    }

    private static ApiRequest fetch(int replica, long offset) {
        FetchRequestData body = new FetchRequestData().setReplicaState(new ReplicaState().setReplicaId(replica));
        body.topics()
                .add(new FetchTopic()
                        .setTopicId(TOPIC)
                        .setPartitions(
                                List.of(new FetchPartition().setPartition(0).setFetchOffset(offset))));
        return Requests.request(ApiKeys.FETCH, 17, body);
    }
}
