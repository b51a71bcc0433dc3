package io.highwater.broker.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highwater.broker.net.NetworkFixture.Call;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BackPressureTest {
    private static final int FRAME_BYTES = 100_000;
    private static final int FRAMES = 60;

    private final NetworkFixture network = new NetworkFixture();

    @AfterEach
    void nothingIsLeft() throws IOException {
        network.close();
    }

    @Test
    void intakeStopsDeadWhenTheBudgetIsSpentAndResumesWhenItIsNot() throws Exception {
        CompletableFuture<Void> senders = CompletableFuture.allOf(flood(), flood());

        int taken = awaitStandstill();

        assertThat(taken).isBetween(2, (int) (NetworkFixture.LIMIT_BYTES / FRAME_BYTES) + 2);
        assertThat(network.memory.usedBytes()).isLessThan(NetworkFixture.LIMIT_BYTES + FRAME_BYTES * 2L);
        assertThat(senders).isNotDone();

        for (int i = 0; i < FRAMES * 2; i++) {
            network.nextCall().promise().complete(null);
        }
        senders.get(10, TimeUnit.SECONDS);
    }

    @Test
    void whoHoldsLittleIsServedWhileTheHungryWait() throws Exception {
        CompletableFuture<Void> sender = flood();
        awaitStandstill();

        WireClient follower = network.connect();
        follower.call(1, new ApiVersionsRequestData(), 0);
        network.connect().send(1, Messages.produce(new byte[1_000]), Messages.PRODUCE);
        await().until(() ->
                network.calls.stream().anyMatch(call -> call.request().sizeBytes() < FRAME_BYTES));

        finish(sender, FRAMES + 1);
    }

    @Test
    void whoIsDoneWithTheRecordsMakesRoomBeforeTheAnswer() throws Exception {
        CompletableFuture<Void> sender = flood();
        List<Call> unanswered = new ArrayList<>();

        for (int i = 0; i < FRAMES; i++) {
            Call call = network.nextCall();
            call.request().doneWithRecords();
            call.request().doneWithRecords();
            unanswered.add(call);
        }

        sender.get(10, TimeUnit.SECONDS);
        assertThat(unanswered).hasSize(FRAMES);
        unanswered.forEach(call -> call.promise().complete(null));
    }

    @Test
    void aFrameLargerThanTheBudgetIsTakenWhenNothingElseIs() throws Exception {
        WireClient client = network.connect();
        byte[] records = new byte[(int) NetworkFixture.LIMIT_BYTES * 3];
        for (int i = 0; i < 2; i++) {
            client.send(i, Messages.produce(records), Messages.PRODUCE);

            network.nextCall().promise().complete(null);
        }
    }

    @Test
    void aClientThatLeavesWhileItWaitsForMemoryLeavesNothing() throws Exception {
        WireClient client = network.connect();
        CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> send(client));
        awaitStandstill();

        client.close();
        sender.exceptionally(closed -> null).get(10, TimeUnit.SECONDS);

        // What it had sent before it left is still read and handled.
        await().until(() -> {
            for (Call call = network.calls.poll(); call != null; call = network.calls.poll()) {
                call.promise().complete(null);
            }
            return network.memory.usedBytes() == 0;
        });
    }

    @Test
    void aClientThatLeavesInTheMiddleOfARequestGivesItsRoomBack() throws Exception {
        WireClient client = network.connect();
        byte[] frame = WireClient.frame(1, Messages.produce(new byte[FRAME_BYTES]), Messages.PRODUCE);
        client.sendRaw(java.util.Arrays.copyOf(frame, FRAME_BYTES / 2));
        await().until(() -> network.memory.usedBytes() > 0);

        client.close();

        await().until(() -> network.memory.usedBytes() == 0);
    }

    private CompletableFuture<Void> flood() throws IOException {
        WireClient client = network.connect();
        return CompletableFuture.runAsync(() -> send(client));
    }

    private static void send(WireClient client) {
        try {
            for (int i = 0; i < FRAMES; i++) {
                client.send(i, Messages.produce(new byte[FRAME_BYTES]), Messages.PRODUCE);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Waits until no request has come for a while; how many have. */
    private int awaitStandstill() {
        int[] last = {-1};
        await().pollInterval(500, TimeUnit.MILLISECONDS).until(() -> {
            int before = last[0];
            last[0] = network.calls.size();
            return last[0] > 0 && before == last[0];
        });
        return last[0];
    }

    private void finish(CompletableFuture<Void> sender, int calls) throws Exception {
        for (int i = 0; i < calls; i++) {
            network.nextCall().promise().complete(null);
        }
        sender.get(10, TimeUnit.SECONDS);
    }
}
