package io.highwater.storage.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BatchWalkTest {
    /** A damaged index names any position, such as one whose four bytes are a negative number. */
    @Test
    void aPositionBeforeTheFileIsDamage() {
        ByteBuffer bytes = ByteBuffer.allocate(1_000);

        assertThat(BatchWalk.firstEndingFrom(bytes, -529_498_366, 1_000, 0)).isEqualTo(BatchWalk.DAMAGED);
        assertThat(BatchWalk.firstEndingFrom(bytes, Integer.MIN_VALUE, 1_000, 0))
                .isEqualTo(BatchWalk.DAMAGED);
    }
}
