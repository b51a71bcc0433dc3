package io.highwater.broker.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highwater.broker.net.NetworkFixture.Call;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PipeliningTest {
    private final NetworkFixture network = new NetworkFixture();

    @AfterEach
    void nothingIsLeft() throws IOException {
        network.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {31, 32, 33})
    void answersLeaveAsRequestsCameWhateverTheOrderTheyAreReadyIn(long seed) throws Exception {
        Random random = new Random(seed);
        WireClient client = network.connect();
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            client.send(i, Messages.metadataRequest(), Messages.METADATA);
            calls.add(network.nextCall());
        }

        Collections.shuffle(calls, random);
        for (Call call : calls) {
            call.promise().complete(Messages.metadata("for " + call.correlationId()));
        }

        for (int i = 0; i < 40; i++) {
            assertThat(Messages.clusterId(client.receive(i, ApiKeys.METADATA, Messages.METADATA)))
                    .isEqualTo("for " + i);
        }
    }

    @Test
    void requestsSentInOneWriteAreHandedOverInOrderWithoutWaitingForAnswers() throws Exception {
        WireClient client = network.connect();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < 10; i++) {
            all.writeBytes(WireClient.frame(i, Messages.metadataRequest(), Messages.METADATA));
        }

        client.sendRaw(all.toByteArray());

        for (int i = 0; i < 10; i++) {
            assertThat(network.nextCall().correlationId()).isEqualTo(i);
        }
    }

    @Test
    void aParkedRequestHoldsOnlyItsOwnConnection() throws Exception {
        WireClient parked = network.connect();
        parked.send(1, Messages.metadataRequest(), Messages.METADATA);
        Call call = network.nextCall();
        parked.send(2, new ApiVersionsRequestData(), 0);

        network.connect().call(1, new ApiVersionsRequestData(), 0);

        assertThat(parked.isSilent()).isTrue();
        call.promise().complete(Messages.metadata("at last"));
        parked.receive(1, ApiKeys.METADATA, Messages.METADATA);
        parked.receive(2, ApiKeys.API_VERSIONS, 0);
    }

    @Test
    void aRequestWithoutAnswerLeavesTheLaterOnesInStep() throws Exception {
        WireClient client = network.connect();
        client.send(1, Messages.produce(new byte[100]), Messages.PRODUCE);
        client.send(2, Messages.metadataRequest(), Messages.METADATA);

        network.nextCall().promise().complete(null);
        network.nextCall().promise().complete(Messages.metadata("answered"));

        client.receive(2, ApiKeys.METADATA, Messages.METADATA);
        assertThat(client.isSilent()).isTrue();
    }

    @Test
    void soManyRequestsMayWaitAndNoMoreAreTaken() throws Exception {
        WireClient client = network.connect();
        int sent = Connection.MAX_IN_FLIGHT * 3;
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < sent; i++) {
            all.writeBytes(WireClient.frame(i, Messages.metadataRequest(), Messages.METADATA));
        }
        client.sendRaw(all.toByteArray());
        await().until(() -> network.calls.size() >= Connection.MAX_IN_FLIGHT);
        network.connect().call(1, new ApiVersionsRequestData(), 0);
        assertThat(network.calls).hasSize(Connection.MAX_IN_FLIGHT);

        for (int i = 0; i < sent; i++) {
            Call call = network.nextCall();
            assertThat(call.correlationId()).isEqualTo(i);
            call.promise().complete(Messages.metadata("go on"));
        }

        for (int i = 0; i < sent; i++) {
            client.receive(i, ApiKeys.METADATA, Messages.METADATA);
        }
    }
}
