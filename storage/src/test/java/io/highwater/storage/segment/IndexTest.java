package io.highwater.storage.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexTest {
    private static final long BASE = 1000;

    @TempDir
    Path directory;

    @Test
    void theGreatestEntryUpToAnOffsetIsFoundWhateverTheirNumber() throws IOException {
        for (int count : new int[] {0, 1, 2, 3, 1023, 1024, 1025, 3000}) {
            OffsetIndex index = offsetIndex("count-" + count, 3000 * 8);
            for (int i = 0; i < count; i++) {
                index.append(BASE + 10L * i + 5, 100 * i + 50);
            }

            for (int i = -1; i < count; i++) {
                int expected = i < 0 ? 0 : 100 * i + 50;
                assertThat(index.floorPosition(BASE + 10L * i + 5)).isEqualTo(expected);
                assertThat(index.floorPosition(BASE + 10L * i + 14)).isEqualTo(expected);
            }
            assertThat(index.ceilingOffset(0)).isEqualTo(count == 0 ? -1 : BASE + 5);
            assertThat(index.ceilingOffset(51)).isEqualTo(count < 2 ? -1 : BASE + 15);
            index.file().close();
        }
    }

    @Test
    void aNewIndexHasItsFullSizeInZerosAndATrimmedOneOnlyItsEntries() throws IOException {
        OffsetIndex index = offsetIndex("a", 1029);
        index.append(BASE + 7, 300);
        assertThat(Files.size(index.file().path())).isEqualTo(1024);

        index.file().trim();

        assertThat(index.file().path())
                .hasBinaryContent(ByteBuffer.allocate(8).putInt(7).putInt(300).array());
        assertThat(index.floorPosition(BASE + 7)).isEqualTo(300);
        index.file().close();
    }

    @Test
    void zerosOfAnUntrimmedFileAreNoEntries() throws IOException {
        OffsetIndex index = offsetIndex("a", 1024);
        index.append(BASE + 7, 300);
        index.append(BASE + 9, 400);
        index.file().close();

        OffsetIndex reopened = new OffsetIndex(index.file().path(), BASE);

        assertThat(reopened.entries()).isEqualTo(2);
        assertThat(reopened.lastOffset()).isEqualTo(BASE + 9);
        reopened.file().close();
    }

    @Test
    void aTrimmedIndexTakesEntriesAgainOnceExtended() throws IOException {
        OffsetIndex index = offsetIndex("a", 1024);
        index.append(BASE + 7, 300);
        index.file().trim();
        index.file().close();
        OffsetIndex reopened = new OffsetIndex(index.file().path(), BASE);

        reopened.file().extend(2048);
        reopened.file().reserve(1);
        reopened.append(BASE + 9, 400);

        assertThat(Files.size(reopened.file().path())).isEqualTo(2048);
        assertThat(reopened.floorPosition(BASE + 8)).isEqualTo(300);
        assertThat(reopened.floorPosition(BASE + 9)).isEqualTo(400);
        reopened.file().close();
    }

    @Test
    void aFullIndexDropsEntriesAndSaysThatItIsFull() throws IOException {
        OffsetIndex index = offsetIndex("a", 16);
        index.append(BASE + 1, 100);
        assertThat(index.isFull()).isFalse();

        index.append(BASE + 2, 200);
        index.append(BASE + 3, 300);

        assertThat(index.isFull()).isTrue();
        assertThat(index.lastOffset()).isEqualTo(BASE + 2);
        index.file().close();
    }

    @Test
    void offsetsThatDoNotRiseAreABugOfOurs() throws IOException {
        OffsetIndex index = offsetIndex("a", 1024);
        index.append(BASE + 7, 300);

        assertThatThrownBy(() -> index.append(BASE + 7, 400)).isInstanceOf(IllegalStateException.class);

        index.file().close();
    }

    @Test
    void truncationDropsTheEntriesOfBatchesThatEndThereOrLater() throws IOException {
        OffsetIndex offsets = offsetIndex("a", 1024);
        TimeIndex times = timeIndex(1024);
        for (int i = 1; i <= 5; i++) {
            offsets.append(BASE + 10L * i, 100 * i);
            times.maybeAppend(i, BASE + 10L * i, false);
        }

        offsets.truncateTo(BASE + 30);
        times.truncateTo(BASE + 31);

        assertThat(offsets.lastOffset()).isEqualTo(BASE + 20);
        assertThat(times.lastOffset()).isEqualTo(BASE + 30);
        offsets.file().close();
        times.file().close();
    }

    @Test
    void aTimeIndexTakesOnlyLaterTimestampsAndKeepsOneEntryForTheSealing() throws IOException {
        TimeIndex index = timeIndex(36);

        index.maybeAppend(10, BASE, false);
        index.maybeAppend(10, BASE + 1, false);
        index.maybeAppend(20, BASE + 2, false);
        index.maybeAppend(30, BASE + 3, false);

        assertThat(index.isFull()).isTrue();
        assertThat(index.lastTimestamp()).isEqualTo(20);
        index.maybeAppend(30, BASE + 3, true);
        assertThat(index.lastTimestamp()).isEqualTo(30);
        assertThat(index.floorOffset(9)).isEqualTo(BASE);
        assertThat(index.floorOffset(29)).isEqualTo(BASE + 2);
        assertThat(index.floorOffset(99)).isEqualTo(BASE + 3);
        index.file().close();
    }

    @Test
    void abortedTransactionsAreListedIfTheyOverlapAndAsFarAsNeeded() throws IOException {
        AbortedTxnIndex index = new AbortedTxnIndex(directory.resolve("a.txnindex"), 0, false);
        AbortedTxn first = new AbortedTxn(1, 0, 10, 11);
        AbortedTxn second = new AbortedTxn(2, 5, 20, 12);
        AbortedTxn third = new AbortedTxn(3, 25, 30, 31);
        assertThat(index.exists()).isFalse();
        index.append(first);
        index.append(second);
        index.append(third);

        assertThat(collected(index, 0, 5, true)).containsExactly(first);
        assertThat(collected(index, 11, 26, true)).containsExactly(second, third);
        assertThat(collected(index, 11, 25, true)).containsExactly(second);
        assertThat(collected(index, 31, 40, false)).isEmpty();
        index.truncateTo(20);
        assertThat(collected(index, 0, 40, false)).containsExactly(first);
        assertThat(Files.size(index.path())).isEqualTo(34);
        index.close();
    }

    private static List<AbortedTxn> collected(AbortedTxnIndex index, long from, long to, boolean complete)
            throws IOException {
        List<AbortedTxn> found = new ArrayList<>();
        assertThat(index.collect(from, to, found)).isEqualTo(complete);
        return found;
    }

    private OffsetIndex offsetIndex(String name, int maxBytes) throws IOException {
        OffsetIndex index = new OffsetIndex(directory.resolve(name + ".index"), BASE);
        index.file().create(maxBytes);
        index.file().reserve(maxBytes / OffsetIndex.ENTRY_SIZE);
        return index;
    }

    private TimeIndex timeIndex(int maxBytes) throws IOException {
        TimeIndex index = new TimeIndex(directory.resolve("t.timeindex"), BASE);
        index.file().create(maxBytes);
        index.file().reserve(maxBytes / TimeIndex.ENTRY_SIZE);
        return index;
    }
}
