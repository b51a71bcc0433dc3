package io.highwater.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.wire.api.ListenerRole;
import io.highwater.wire.frame.Frames.ApiAndVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.FileRegion;
import io.netty.util.ReferenceCounted;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordsSend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ResponseEncoderTest {
    private static final short FETCH_VERSION = 18;
    private static final int CORRELATION_ID = -99;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final AtomicInteger released = new AtomicInteger();

    @AfterEach
    void nothingIsLeftInMemory() {
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    static Stream<ApiAndVersion> allVersions() {
        return Stream.concat(
                Frames.allVersions(ListenerRole.BROKER).stream(), Frames.allVersions(ListenerRole.CONTROLLER).stream());
    }

    @ParameterizedTest
    @MethodSource("allVersions")
    void everyResponseIsOnePartWithItsLengthInFront(ApiAndVersion each) {
        ApiMessage body = each.api().messageType.newResponse();
        if (!each.canWrite(body)) {
            return;
        }
        short headerVersion = each.api().responseHeaderVersion(each.version());

        EncodedResponse encoded =
                ResponseEncoder.encode(allocator, CORRELATION_ID, headerVersion, body, each.version());

        assertThat(encoded.parts()).hasSize(1);
        ByteBuffer bytes = ByteBuffer.wrap(drain(encoded));
        assertThat(bytes.getInt()).isEqualTo(bytes.remaining());
        ByteBufferAccessor accessor = new ByteBufferAccessor(bytes);
        assertThat(new ResponseHeaderData(accessor, headerVersion).correlationId())
                .isEqualTo(CORRELATION_ID);
        ApiMessage back = each.api().messageType.newResponse();
        back.read(accessor, each.version());
        assertThat(Frames.bytes(back, each.version())).isEqualTo(Frames.bytes(body, each.version()));
        assertThat(bytes.hasRemaining()).isFalse();
    }

    @Test
    void mappedRecordsAreWrittenFromWhereTheyAre() {
        ByteBuffer stored = direct("--the records--");
        LeasedRecords leased = LeasedRecords.mapped(stored.slice(2, 11), released::incrementAndGet);

        EncodedResponse encoded = encode(fetch(leased, leased("more")));

        ByteBuf part = (ByteBuf) encoded.parts().get(1);
        stored.put(2, (byte) 'T');
        assertThat(part.toString(StandardCharsets.US_ASCII)).isEqualTo("The records");
        assertThat(part.isDirect()).isTrue();
        assertThat(records(drain(encoded))).containsExactly("The records", "more");
    }

    @Test
    void aLeaseIsGivenBackOnceWhenItsPartHasBeenWritten() {
        EncodedResponse encoded = encode(fetch(leased("one"), leased("two")));
        assertThat(released).hasValue(0);

        encoded.release();

        assertThat(released).hasValue(2);
    }

    @Test
    void aStretchOfAFileBecomesAFileRegionAndTheFileStaysOpen(@TempDir Path dir) throws IOException {
        Path path = dir.resolve("segment");
        Files.writeString(path, "0123456789");
        try (FileChannel file = FileChannel.open(path)) {
            LeasedRecords leased = LeasedRecords.file(file, 3, 4, released::incrementAndGet);

            EncodedResponse encoded = encode(fetch(leased));

            assertThat(encoded.parts().get(1)).isInstanceOf(FileRegion.class);
            assertThat(records(drain(encoded))).containsExactly("3456");
            assertThat(released).hasValue(1);
            assertThat(file.isOpen()).isTrue();
        }
    }

    @Test
    void recordsInMemoryAreWrittenWithoutALease() {
        MemoryRecords records = MemoryRecords.readableRecords(direct("in memory"));

        assertThat(records(drain(encode(fetch(records))))).containsExactly("in memory");
    }

    @Test
    void fileRecordsOfTheQuorumAreCopied(@TempDir Path dir) throws IOException {
        Path path = dir.resolve("00000000000000000000.log");
        Files.writeString(path, "quorum records");
        try (FileRecords file = FileRecords.open(path.toFile())) {
            EncodedResponse encoded = encode(fetch(file.slice(7, 7)));

            assertThat(records(drain(encoded))).containsExactly("records");
        }
    }

    @Test
    void emptyRecordsTakeNoPartAndAreReleased() {
        LeasedRecords empty = LeasedRecords.mapped(ByteBuffer.allocateDirect(0), released::incrementAndGet);

        EncodedResponse encoded = encode(fetch(empty));

        assertThat(encoded.parts()).hasSize(1);
        assertThat(released).hasValue(1);
        encoded.release();
    }

    @Test
    void aResponseThatCannotBeWrittenGivesEverythingBack() {
        FetchResponseData body = fetch(leased("one"), new UnknownRecords(), leased("two"));

        assertThatThrownBy(() -> encode(body)).isInstanceOf(IllegalStateException.class);

        assertThat(released).hasValue(2);
    }

    @Test
    void aResponseThatNobodyWillReadGivesItsLeasesBack() {
        FetchResponseData body = fetch(leased("one"), MemoryRecords.EMPTY, leased("two"));

        LeasedRecords.releaseAll(body);
        LeasedRecords.releaseAll(new MetadataResponseData());
        LeasedRecords.releaseAll(null);

        assertThat(released).hasValue(2);
    }

    @Test
    void aSecondReleaseDoesNothing() {
        LeasedRecords leased = leased("one");

        leased.release();
        leased.release();

        assertThat(released).hasValue(1);
    }

    private EncodedResponse encode(FetchResponseData body) {
        return ResponseEncoder.encode(
                allocator, CORRELATION_ID, ApiKeys.FETCH.responseHeaderVersion(FETCH_VERSION), body, FETCH_VERSION);
    }

    private LeasedRecords leased(String bytes) {
        return LeasedRecords.mapped(direct(bytes), released::incrementAndGet);
    }

    private static ByteBuffer direct(String bytes) {
        byte[] array = bytes.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(array.length).put(array).flip();
    }

    private static FetchResponseData fetch(BaseRecords... records) {
        FetchableTopicResponse topic = new FetchableTopicResponse().setTopicId(Uuid.randomUuid());
        for (int i = 0; i < records.length; i++) {
            topic.partitions().add(new PartitionData().setPartitionIndex(i).setRecords(records[i]));
        }
        return new FetchResponseData().setResponses(List.of(topic));
    }

    private static List<String> records(byte[] response) {
        ByteBuffer bytes = ByteBuffer.wrap(response);
        assertThat(bytes.getInt()).isEqualTo(bytes.remaining());
        ByteBufferAccessor accessor = new ByteBufferAccessor(bytes);
        new ResponseHeaderData(accessor, (short) 1);
        FetchResponseData back = new FetchResponseData(accessor, FETCH_VERSION);
        return back.responses().get(0).partitions().stream()
                .map(partition -> StandardCharsets.US_ASCII
                        .decode(((MemoryRecords) partition.records()).buffer())
                        .toString())
                .toList();
    }

    /** All bytes, as a socket would get them; releases each part after it. */
    private static byte[] drain(EncodedResponse encoded) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (ReferenceCounted part : encoded.parts()) {
            if (part instanceof ByteBuf bytes) {
                out.writeBytes(ByteBufUtil.getBytes(bytes));
            } else {
                transfer((FileRegion) part, out);
            }
            part.release();
        }
        assertThat(encoded.sizeBytes()).isEqualTo(out.size());
        return out.toByteArray();
    }

    private static void transfer(FileRegion region, ByteArrayOutputStream out) {
        try {
            while (region.transferred() < region.count()) {
                region.transferTo(Channels.newChannel(out), region.transferred());
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** A kind of records that nobody told the encoder about. */
    private static final class UnknownRecords implements BaseRecords {
        @Override
        public int sizeInBytes() {
            return 10;
        }

        @Override
        public RecordsSend<? extends BaseRecords> toSend() {
            throw new UnsupportedOperationException();
        }
    }
}
