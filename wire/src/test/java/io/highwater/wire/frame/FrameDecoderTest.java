package io.highwater.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameDecoderTest {
    private static final int MAX_BYTES = 10_000;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final List<Integer> asked = new ArrayList<>();
    private boolean open = true;
    private final FrameDecoder decoder = new FrameDecoder(MAX_BYTES, sizeBytes -> {
        asked.add(sizeBytes);
        return open;
    });
    private final EmbeddedChannel channel = new EmbeddedChannel();

    FrameDecoderTest() {
        channel.config().setAllocator(allocator);
        channel.pipeline().addLast(decoder);
    }

    @AfterEach
    void nothingIsLeftInMemory() {
        channel.finishAndReleaseAll();

        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void aStreamCutAtAnyByteGivesTheSameFrames() {
        byte[] stream = concat(frame("first one"), frame("the second is longer"), frame("and last"));

        for (int cut = 0; cut <= stream.length; cut++) {
            send(stream, 0, cut);
            send(stream, cut, stream.length);

            assertThat(received()).containsExactly("first one", "the second is longer", "and last");
        }
    }

    @Test
    void aStreamOfSingleBytesGivesTheSameFrames() {
        byte[] stream = concat(frame("first one"), frame("and last"));

        for (int i = 0; i < stream.length; i++) {
            send(stream, i, i + 1);
        }

        assertThat(received()).containsExactly("first one", "and last");
    }

    @Test
    void aFrameThatLiesWholeInWhatWasReadIsNotCopied() {
        ByteBuf read = allocator.directBuffer().writeBytes(frame("no copies"));

        channel.writeInbound(read);

        ByteBuf frame = channel.readInbound();
        assertThat(frame.unwrap()).isSameAs(read);
        frame.release();
    }

    @Test
    void theSocketFillsALargeFrameItself() {
        byte[] stream = frame("x".repeat(MAX_BYTES));
        send(stream, 0, 100);
        int sentBytes = 100;

        while (sentBytes < stream.length) {
            ByteBuf target = Objects.requireNonNull(decoder.nextFillTarget());
            assertThat(target.writableBytes()).isEqualTo(stream.length - sentBytes);
            int newBytes = Math.min(3_000, target.writableBytes());
            channel.writeInbound(target.writeBytes(stream, sentBytes, newBytes));
            sentBytes += newBytes;
        }

        ByteBuf frame = channel.readInbound();
        assertThat(frame.readableBytes()).isEqualTo(MAX_BYTES);
        assertThat(frame.capacity()).isEqualTo(MAX_BYTES);
        frame.release();
        assertThat(decoder.nextFillTarget()).isNull();
    }

    @Test
    void aReadThatBringsNothingLeavesTheFrameAsItWas() {
        byte[] stream = frame("some request");
        send(stream, 0, 7);
        Objects.requireNonNull(decoder.nextFillTarget()).release();

        send(stream, 7, stream.length);

        assertThat(received()).containsExactly("some request");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, MAX_BYTES + 1, 0, 7})
    void aBadLengthIsReportedBeforeAnythingIsBufferedForIt(int length) {
        ByteBuf bytes = Unpooled.buffer().writeInt(length).writeBytes(new byte[100]);

        assertThatThrownBy(() -> channel.writeInbound(bytes))
                .isInstanceOfSatisfying(
                        FrameException.class, e -> assertThat(e.reason()).isEqualTo(FrameException.Reason.BAD_LENGTH))
                .hasMessageContaining(String.valueOf(length));
        assertThat(asked).isEmpty();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void afterABadLengthEverythingIsDropped() {
        assertThatThrownBy(() -> channel.writeInbound(Unpooled.buffer().writeInt(-5)))
                .isInstanceOf(FrameException.class);

        send(frame("too late"), 0, 12);

        assertThat(received()).isEmpty();
    }

    @Test
    void theLargestAllowedLengthIsAllowed() {
        byte[] stream = frame("y".repeat(MAX_BYTES));

        send(stream, 0, stream.length);

        assertThat(received()).containsExactly("y".repeat(MAX_BYTES));
    }

    @Test
    void whoeverSpeaksAnotherProtocolIsToldSo() {
        assertThatThrownBy(() -> channel.writeInbound(ascii("GET / HTTP/1.1\r\n")))
                .hasMessageContaining("HTTP");
    }

    @Test
    void whoeverSpeaksTlsIsToldSo() {
        assertThatThrownBy(() -> channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {0x16, 3, 1, 2, 0, 1})))
                .hasMessageContaining("TLS");
    }

    @Test
    void aClosedGateStopsReadingUntilItIsAskedAgain() {
        open = false;
        byte[] stream = concat(frame("first one"), frame("second one"));
        send(stream, 0, stream.length);

        assertThat(received()).isEmpty();
        assertThat(channel.config().isAutoRead()).isFalse();
        assertThat(decoder.isWaiting()).isTrue();

        decoder.resume();
        assertThat(received()).isEmpty();
        assertThat(decoder.isWaiting()).isTrue();

        open = true;
        decoder.resume();
        assertThat(received()).containsExactly("first one", "second one");
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(decoder.isWaiting()).isFalse();
    }

    @Test
    void noMemoryIsTakenForAFrameTheGateHasNotAdmitted() {
        open = false;
        byte[] stream = frame("z".repeat(MAX_BYTES));

        send(stream, 0, 1_000);

        assertThat(allocator.metric().usedDirectMemory()).isLessThan(2_000);
        assertThat(decoder.isInsideFrame()).isFalse();
    }

    @Test
    void theGateIsAskedForTheExactSize() {
        byte[] stream = concat(frame("nine char"), frame("ten  chars"));

        send(stream, 0, stream.length);

        assertThat(asked).containsExactly(9, 10);
        received();
    }

    @Test
    void aConnectionThatEndsInsideAFrameGivesItsMemoryBack() {
        byte[] stream = frame("x".repeat(MAX_BYTES));
        send(stream, 0, 5_000);
        assertThat(allocator.metric().usedDirectMemory()).isPositive();

        channel.close().syncUninterruptibly();

        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void framesComeWholeAndInOrderHoweverTheyAreCutAndHeldUp(long seed) {
        Random random = new Random(seed);
        List<String> expected = new ArrayList<>();
        byte[][] frames = new byte[300][];
        for (int i = 0; i < frames.length; i++) {
            String payload = i + " " + "p".repeat(8 + random.nextInt(random.nextInt(10) == 0 ? 2_000 : 20));
            expected.add(payload);
            frames[i] = frame(payload);
        }
        byte[] stream = concat(frames);
        List<String> actual = new ArrayList<>();

        int position = 0;
        while (position < stream.length || decoder.isWaiting()) {
            open = random.nextInt(4) != 0;
            if (decoder.isWaiting()) {
                decoder.resume();
            } else {
                int end = Math.min(stream.length, position + 1 + random.nextInt(400));
                position = sendSomehow(stream, position, end, random.nextBoolean());
            }
            actual.addAll(received());
        }

        assertThat(actual).isEqualTo(expected);
    }

    /** As an ordinary read, or into what the decoder wants filled; returns how far it got. */
    private int sendSomehow(byte[] stream, int from, int to, boolean direct) {
        ByteBuf target = direct ? decoder.nextFillTarget() : null;
        if (target == null) {
            send(stream, from, to);
            return to;
        }
        int newBytes = Math.min(to - from, target.writableBytes());
        channel.writeInbound(target.writeBytes(stream, from, newBytes));
        return from + newBytes;
    }

    private void send(byte[] stream, int from, int to) {
        channel.writeInbound(allocator.directBuffer().writeBytes(stream, from, to - from));
    }

    private List<String> received() {
        List<String> received = new ArrayList<>();
        for (ByteBuf frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
            received.add(frame.toString(StandardCharsets.US_ASCII));
            frame.release();
        }
        return received;
    }

    private static ByteBuf ascii(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    private static byte[] frame(String payload) {
        ByteBuf bytes = Unpooled.buffer().writeInt(payload.length());
        bytes.writeCharSequence(payload, StandardCharsets.US_ASCII);
        return ByteBufUtil.getBytes(bytes);
    }

    private static byte[] concat(byte[]... parts) {
        return ByteBufUtil.getBytes(Unpooled.wrappedBuffer(parts));
    }
}
