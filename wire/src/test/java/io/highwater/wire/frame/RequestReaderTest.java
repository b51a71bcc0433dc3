package io.highwater.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.highwater.wire.api.ApiSupport;
import io.highwater.wire.api.ListenerRole;
import io.highwater.wire.frame.FrameException.Reason;
import io.highwater.wire.frame.Frames.ApiAndVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestReaderTest {
    private final RequestReader brokerReader = reader(ListenerRole.BROKER);
    private final RequestReader controllerReader = reader(ListenerRole.CONTROLLER);

    static List<ApiAndVersion> brokerVersions() {
        return Frames.allVersions(ListenerRole.BROKER);
    }

    static List<ApiAndVersion> controllerVersions() {
        return Frames.allVersions(ListenerRole.CONTROLLER);
    }

    @ParameterizedTest
    @MethodSource("brokerVersions")
    void everyBrokerRequestIsReadAsItWasWritten(ApiAndVersion each) throws FrameException {
        readsBack(brokerReader, each);
    }

    @ParameterizedTest
    @MethodSource("controllerVersions")
    void everyControllerRequestIsReadAsItWasWritten(ApiAndVersion each) throws FrameException {
        readsBack(controllerReader, each);
    }

    private static void readsBack(RequestReader reader, ApiAndVersion each) throws FrameException {
        ApiMessage body = each.api().messageType.newRequest();
        if (!each.canWrite(body)) {
            return;
        }
        ByteBuf frame = Frames.request(body, each.version());

        Request request = reader.read(frame);

        assertThat(request.api()).isEqualTo(each.api());
        assertThat(request.header().requestApiVersion()).isEqualTo(each.version());
        assertThat(request.header().correlationId()).isEqualTo(Frames.CORRELATION_ID);
        assertThat(request.header().clientId()).isEqualTo(Frames.CLIENT_ID);
        assertThat(Frames.bytes(request.body(), each.version())).isEqualTo(Frames.bytes(body, each.version()));
        assertThat(request.sizeBytes()).isEqualTo(frame.readableBytes());
        assertThat(request.answerVersion()).isEqualTo(each.version());
        assertThat(request.versionKnown()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("brokerVersions")
    void aRequestCutAtAnyByteIsMalformed(ApiAndVersion each) {
        ApiMessage body = each.api().messageType.newRequest();
        if (!each.canWrite(body)) {
            return;
        }
        ByteBuf frame = Frames.request(body, each.version());

        for (int cut = 0; cut < frame.readableBytes(); cut++) {
            assertThat(refusal(brokerReader, frame.slice(0, cut))).isEqualTo(Reason.MALFORMED);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13})
    void garbageIsRefusedAndNeverAnythingWorse(long seed) {
        Random random = new Random(seed);
        List<ApiAndVersion> all = brokerVersions();
        for (int i = 0; i < 20_000; i++) {
            ApiAndVersion each = all.get(random.nextInt(all.size()));
            byte[] garbage = new byte[random.nextInt(200)];
            random.nextBytes(garbage);
            ByteBuf frame = Unpooled.wrappedBuffer(Frames.header(each.api().id, each.version()), garbage);
            try {
                brokerReader.read(frame);
            } catch (FrameException e) {
                assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
            }
        }
    }

    @Test
    void theRecordsOfAProduceAreTheBytesOfTheFrame() throws FrameException {
        ByteBuf frame = Unpooled.directBuffer().writeBytes(Frames.request(produce("payload"), 13));

        Request request = brokerReader.read(frame);

        assertThat(request.refersToFrame()).isTrue();
        ByteBuffer records = records((ProduceRequestData) request.body()).buffer();
        int lastByte = frame.writerIndex() - 1;
        while (frame.getByte(lastByte) != 'd') {
            lastByte--;
        }
        int fromEnd = frame.writerIndex() - lastByte;
        frame.setByte(lastByte, 'D');
        assertThat(new String(toArray(records), StandardCharsets.ISO_8859_1)).contains("payloaD");
        assertThat(fromEnd).isLessThan(10);
        frame.release();
    }

    @Test
    void aRequestWithoutRecordsDoesNotNeedItsFrame() throws FrameException {
        Request request = brokerReader.read(Frames.request(new MetadataRequestData(), 13));

        assertThat(request.refersToFrame()).isFalse();
    }

    @Test
    void aMissingClientIdIsAnEmptyOne() throws FrameException {
        ByteBuf frame = Unpooled.buffer()
                .writeShort(ApiKeys.LIST_GROUPS.id)
                .writeShort(0)
                .writeInt(1)
                .writeShort(-1);

        assertThat(brokerReader.read(frame).header().clientId()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {31_000, -1, 95, Short.MIN_VALUE})
    void anApiThatDoesNotExistIsUnknown(int apiKey) {
        ByteBuf frame =
                Unpooled.buffer().writeShort(apiKey).writeShort(0).writeInt(1).writeShort(-1);

        assertThat(refusal(brokerReader, frame)).isEqualTo(Reason.UNKNOWN_API);
    }

    @Test
    void anApiOfAnotherListenerIsUnknown() {
        ByteBuf vote = Frames.request(ApiKeys.VOTE.messageType.newRequest(), 2);
        ByteBuf produce = Frames.request(produce("x"), 13);

        assertThat(refusal(brokerReader, vote)).isEqualTo(Reason.UNKNOWN_API);
        assertThat(refusal(controllerReader, produce)).isEqualTo(Reason.UNKNOWN_API);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 14, 99, -1})
    void aVersionOutsideTheRangeIsUnsupported(int version) {
        ByteBuf frame = Unpooled.wrappedBuffer(Frames.header(ApiKeys.PRODUCE.id, version));

        assertThatThrownBy(() -> brokerReader.read(frame))
                .isInstanceOfSatisfying(
                        FrameException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNSUPPORTED_VERSION))
                .hasMessageContaining("v3 to v13");
    }

    @Test
    void apiVersionsFromTheFutureIsReadSoThatItCanBeAnsweredInVersionZero() throws FrameException {
        ByteBuf frame = Unpooled.wrappedBuffer(
                Frames.header(ApiKeys.API_VERSIONS.id, 99), new byte[] {1, 2, 3, 'b', 'o', 'd', 'y'});

        Request request = brokerReader.read(frame);

        assertThat(request.versionKnown()).isFalse();
        assertThat(request.header().correlationId()).isEqualTo(Frames.CORRELATION_ID);
        assertThat(request.answerVersion()).isZero();
        assertThat(request.answerHeaderVersion()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, 1_000_000, 101})
    void anArrayOfMoreElementsThanBytesAreLeftIsRefused(int count) {
        ByteBuf frame = Unpooled.buffer()
                .writeBytes(Frames.header(ApiKeys.METADATA.id, 1))
                .writeInt(count)
                .writeBytes(new byte[100]);

        assertThat(refusal(brokerReader, frame)).isEqualTo(Reason.MALFORMED);
    }

    @Test
    void tinyElementsByTheMillionAreRefusedBeforeTheyFillTheHeap() {
        int topics = 20_000_000;
        ByteBuf frame = Unpooled.buffer(topics * 2 + 100)
                .writeBytes(Frames.header(ApiKeys.METADATA.id, 1))
                .writeInt(topics)
                .writeZero(topics * Short.BYTES);

        assertThat(refusal(brokerReader, frame)).isEqualTo(Reason.MALFORMED);
    }

    @Test
    void manyRealElementsAreAccepted() throws FrameException {
        MetadataRequestData body = new MetadataRequestData();
        for (int i = 0; i < 100_000; i++) {
            body.topics().add(new MetadataRequestData.MetadataRequestTopic().setName("topic-" + i));
        }

        Request request = brokerReader.read(Frames.request(body, 13));

        assertThat(((MetadataRequestData) request.body()).topics()).hasSize(100_000);
    }

    private static RequestReader reader(ListenerRole role) {
        return new RequestReader(ApiSupport.of(role, ApiSupport.known(role)));
    }

    private static Reason refusal(RequestReader reader, ByteBuf frame) {
        return catchThrowableOfType(FrameException.class, () -> reader.read(frame))
                .reason();
    }

    private static ProduceRequestData produce(String value) {
        MemoryRecords records =
                MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(value.getBytes(StandardCharsets.UTF_8)));
        ProduceRequestData body = new ProduceRequestData().setAcks((short) -1).setTimeoutMs(1_000);
        TopicProduceData topic = new TopicProduceData();
        topic.partitionData().add(new PartitionProduceData().setIndex(0).setRecords(records));
        body.topicData().add(topic);
        return body;
    }

    private static MemoryRecords records(ProduceRequestData body) {
        TopicProduceData topic = body.topicData().iterator().next();
        return (MemoryRecords)
                Objects.requireNonNull(topic.partitionData().get(0).records());
    }

    private static byte[] toArray(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
