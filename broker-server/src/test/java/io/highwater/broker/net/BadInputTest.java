package io.highwater.broker.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highwater.broker.api.UnanswerableException;
import io.highwater.broker.net.NetworkFixture.Call;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BadInputTest {
    private final NetworkFixture network = new NetworkFixture();

    @AfterEach
    void nothingIsLeft() throws IOException {
        network.close();
    }

    static Stream<Arguments> badOpenings() {
        return Stream.of(
                Arguments.of("HTTP", "GET / HTTP/1.1\r\nHost: broker\r\n\r\n".getBytes(StandardCharsets.US_ASCII)),
                Arguments.of("TLS", new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3}),
                Arguments.of("-1 bytes", ByteBuffer.allocate(4).putInt(-1).array()),
                Arguments.of(
                        "too small",
                        ByteBuffer.allocate(4).putInt(Integer.MIN_VALUE).array()),
                Arguments.of(
                        "socket.request.max.bytes",
                        ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array()),
                Arguments.of("no API has the key 31000", header(31_000, 0)),
                Arguments.of("not answered on this listener", header(ApiKeys.VOTE.id, 0)),
                Arguments.of("v4 to v18", header(ApiKeys.FETCH.id, 3)),
                Arguments.of("cannot be read as Metadata v1", header(ApiKeys.METADATA.id, 1)),
                Arguments.of(
                        "too small",
                        ByteBuffer.allocate(6).putInt(2).putShort((short) 18).array()));
    }

    private static byte[] header(int apiKey, int version) {
        return ByteBuffer.allocate(Integer.BYTES + 10)
                .putInt(10)
                .putShort((short) apiKey)
                .putShort((short) version)
                .putInt(1)
                .putShort((short) -1)
                .array();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badOpenings")
    void aBadOpeningClosesThatConnectionOnlyWithOneLineThatSaysWhy(String reason, byte[] opening) throws IOException {
        WireClient healthy = network.connect();
        healthy.call(1, new ApiVersionsRequestData(), 0);
        WireClient bad = network.connect();

        bad.sendRaw(opening);

        assertThat(bad.isClosedByServer()).isTrue();
        healthy.call(2, new ApiVersionsRequestData(), 0);
        assertThat(network.log.lines()).singleElement().asString().contains(bad.address(), reason);
    }

    @Test
    void theLineNamesTheClientIdOnceItIsKnown() throws IOException {
        WireClient client = network.connect();
        client.call(1, new ApiVersionsRequestData(), 0);

        client.sendRaw(new byte[] {-1, -1, -1, -1});

        assertThat(client.isClosedByServer()).isTrue();
        assertThat(network.log.lines())
                .singleElement()
                .asString()
                .contains(client.address(), "client id \"" + WireClient.CLIENT_ID + "\"", "PLAINTEXT");
    }

    @Test
    void apiVersionsFromTheFutureIsRefusedInVersionZeroAndTheConnectionKept() throws IOException {
        WireClient client = network.connect();
        byte[] frame = WireClient.frame(7, new ApiVersionsRequestData(), 3);
        ByteBuffer.wrap(frame).putShort(Integer.BYTES + Short.BYTES, (short) 99);
        client.sendRaw(frame);

        ApiVersionsResponseData answer = (ApiVersionsResponseData) client.receive(7, ApiKeys.API_VERSIONS, 0);

        assertThat(answer.errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
        assertThat(answer.apiKeys())
                .containsExactly(new ApiVersion()
                        .setApiKey(ApiKeys.API_VERSIONS.id)
                        .setMinVersion((short) 0)
                        .setMaxVersion((short) 5));
        client.call(8, new ApiVersionsRequestData().setClientSoftwareName("t").setClientSoftwareVersion("1"), 4);
    }

    @Test
    void aBodyThatLiesAboutItsArraysClosesTheConnection() throws IOException {
        WireClient client = network.connect();
        client.sendRaw(ByteBuffer.allocate(18)
                .putInt(14)
                .putShort(ApiKeys.METADATA.id)
                .putShort((short) 1)
                .putInt(1)
                .putShort((short) -1)
                .putInt(Integer.MAX_VALUE)
                .array());

        assertThat(client.isClosedByServer()).isTrue();
        assertThat(network.log.lines()).hasSize(1);
    }

    @Test
    void aHandlerThatFailsIsAnsweredInTheShapeOfItsApiAndTheConnectionKept() throws Exception {
        WireClient client = network.connect();
        client.send(1, new HeartbeatRequestData(), 4);

        network.nextCall().promise().fail(new IllegalStateException("our mistake"));

        HeartbeatResponseData answer = (HeartbeatResponseData) client.receive(1, ApiKeys.HEARTBEAT, 4);
        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.UNKNOWN_SERVER_ERROR);
        client.call(2, new ApiVersionsRequestData(), 0);
        assertThat(network.log.lines()).isEmpty();
        assertThat(network.metrics.scrape()).contains("{request=\"Heartbeat\",error=\"UNKNOWN_SERVER_ERROR\"} 1\n");
    }

    @Test
    void aProduceThatFailsIsAnsweredForEachOfItsPartitionsThoughItsRecordsAreGone() throws Exception {
        WireClient client = network.connect();
        client.send(1, Messages.produce(new byte[100_000]), Messages.PRODUCE);
        Call call = network.nextCall();
        call.request().doneWithRecords();

        call.promise().fail(new IllegalStateException("our mistake"));

        ProduceResponseData answer = (ProduceResponseData) client.receive(1, ApiKeys.PRODUCE, Messages.PRODUCE);
        assertThat(answer.responses().iterator().next().partitionResponses())
                .extracting(partition -> Errors.forCode(partition.errorCode()))
                .containsExactly(Errors.UNKNOWN_SERVER_ERROR);
    }

    @Test
    void whatCannotBeAnsweredClosesTheConnectionWithOneLine() throws Exception {
        WireClient client = network.connect();
        WireClient other = network.connect();
        client.send(1, Messages.produce(new byte[100]).setAcks((short) 0), Messages.PRODUCE);

        network.nextCall()
                .promise()
                .fail(new UnanswerableException(Errors.NOT_LEADER_OR_FOLLOWER, "nobody leads it here"));

        assertThat(client.isClosedByServer()).isTrue();
        assertThat(network.log.lines())
                .singleElement()
                .asString()
                .contains(client.address(), "Produce v13", "nobody leads it here");
        assertThat(network.metrics.scrape()).contains("{request=\"Produce\",error=\"NOT_LEADER_OR_FOLLOWER\"} 1\n");
        other.call(1, new ApiVersionsRequestData(), 0);
    }

    @Test
    void requestsBehindABadOneAreNotHandledAndThoseBeforeItHarmNothing() throws Exception {
        WireClient client = network.connect();
        byte[] good = WireClient.frame(1, Messages.metadataRequest(), Messages.METADATA);
        client.sendRaw(ByteBuffer.allocate(good.length * 2 + 4)
                .put(good)
                .putInt(-7)
                .put(good)
                .array());

        assertThat(client.isClosedByServer()).isTrue();

        network.nextCall().promise().complete(Messages.metadata("nobody reads this"));
        assertThat(network.calls).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {21, 22, 23})
    void anyGarbageIsSurvived(long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < 50; i++) {
            byte[] garbage = new byte[12 + random.nextInt(300)];
            random.nextBytes(garbage);
            ByteBuffer.wrap(garbage).putInt(0, garbage.length - 4);
            ByteBuffer.wrap(garbage).putShort(4, (short) random.nextInt(20));
            ByteBuffer.wrap(garbage).putShort(6, (short) random.nextInt(14));
            try (WireClient client = new WireClient(network.port)) {
                client.sendRaw(garbage);
            }
        }

        network.connect().call(1, new ApiVersionsRequestData(), 0);
        await().until(() -> network.connections.open() <= 1);
    }
}
