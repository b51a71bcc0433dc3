package io.highwater.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LeasedByteBufTest {
    private static final byte[] BYTES = {0, 1, 2, 3, 4, 5, 6, 7, (byte) 0x88, (byte) 0x99, 10, 11};

    private final AtomicInteger released = new AtomicInteger();
    private final ByteBuffer stored = ByteBuffer.allocateDirect(BYTES.length + 4);
    private final ByteBuf leased;

    LeasedByteBufTest() {
        stored.put(2, BYTES);
        LeasedRecords records =
                LeasedRecords.mapped(stored.asReadOnlyBuffer().slice(2, BYTES.length), released::incrementAndGet);
        leased = (ByteBuf) records.toPart();
    }

    @Test
    void allWaysOfReadingGiveTheSame() throws IOException {
        ByteBuf plain = Unpooled.wrappedBuffer(BYTES);

        assertThat(leased).isEqualTo(plain);
        assertThat(ByteBufUtil.getBytes(leased)).isEqualTo(BYTES);
        assertThat(leased.getShort(7)).isEqualTo(plain.getShort(7));
        assertThat(leased.getShortLE(7)).isEqualTo(plain.getShortLE(7));
        assertThat(leased.getMedium(7)).isEqualTo(plain.getMedium(7));
        assertThat(leased.getMediumLE(7)).isEqualTo(plain.getMediumLE(7));
        assertThat(leased.getInt(6)).isEqualTo(plain.getInt(6));
        assertThat(leased.getIntLE(6)).isEqualTo(plain.getIntLE(6));
        assertThat(leased.getLong(3)).isEqualTo(plain.getLong(3));
        assertThat(leased.getLongLE(3)).isEqualTo(plain.getLongLE(3));
        assertThat(leased.nioBuffer(1, 4)).isEqualTo(plain.nioBuffer(1, 4));
        assertThat(leased.internalNioBuffer(1, 4)).isEqualTo(plain.nioBuffer(1, 4));
        assertThat(leased.nioBuffers()).containsExactly(plain.nioBuffer());
        assertThat(leased.copy(2, 5)).isEqualTo(plain.copy(2, 5));
        assertThat(Unpooled.buffer().writeBytes(leased.duplicate())).isEqualTo(plain);
        assertThat(Unpooled.directBuffer().writeBytes(leased.slice(4, 3))).isEqualTo(plain.slice(4, 3));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        leased.getBytes(0, out, BYTES.length);
        assertThat(out.toByteArray()).isEqualTo(BYTES);
        ByteBuffer target = ByteBuffer.allocate(3);
        leased.getBytes(9, target);
        assertThat(target.array()).containsExactly(BYTES[9], BYTES[10], BYTES[11]);
    }

    @Test
    void nothingBeyondItsEndCanBeRead() {
        assertThatThrownBy(() -> leased.nioBuffer(10, 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> leased.getInt(9)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void nothingCanBeWritten() {
        assertThat(leased.isWritable()).isFalse();
        assertThatThrownBy(() -> leased.setByte(0, 1)).isInstanceOf(ReadOnlyBufferException.class);
        assertThatThrownBy(() -> leased.setBytes(0, new byte[1])).isInstanceOf(ReadOnlyBufferException.class);
        assertThatThrownBy(() -> leased.capacity(1)).isInstanceOf(ReadOnlyBufferException.class);
    }

    @Test
    void theLastReleaseGivesTheLeaseBack() {
        ByteBuf slice = leased.retainedSlice(0, 3);

        leased.release();
        assertThat(released).hasValue(0);

        slice.release();
        assertThat(released).hasValue(1);
    }
}
