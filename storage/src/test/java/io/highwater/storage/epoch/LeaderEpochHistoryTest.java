package io.highwater.storage.epoch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.storage.epoch.LeaderEpochHistory.EpochEnd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaderEpochHistoryTest {
    private static final long LOG_END = 100;

    @TempDir
    Path directory;

    // ---- what is remembered -----------------------------------------------------------------------------------------

    @Test
    void epochsFollowEachOther() throws IOException {
        LeaderEpochHistory history = history(0, 0, 2, 13, 5, 20);

        assertThat(history.entries())
                .containsExactly(new LeaderEpoch(0, 0), new LeaderEpoch(2, 13), new LeaderEpoch(5, 20));
        assertThat(history.latestEpoch()).isEqualTo(5);
    }

    @Test
    void theSameEpochAgainChangesNothing() throws IOException {
        LeaderEpochHistory history = history(0, 0, 2, 13);

        assertThat(history.assign(2, 13)).isFalse();
        assertThat(history.assign(2, 14)).isFalse();
        assertThat(history.entries()).hasSize(2);
    }

    @Test
    void anEarlierStartOfTheLatestEpochReplacesIt() throws IOException {
        LeaderEpochHistory history = history(0, 0, 2, 13);

        assertThat(history.assign(2, 12)).isTrue();

        assertThat(history.entries()).containsExactly(new LeaderEpoch(0, 0), new LeaderEpoch(2, 12));
    }

    @Test
    void whatContradictsTheNewEpochGoes() throws IOException {
        LeaderEpochHistory history = history(0, 0, 2, 13, 5, 20, 7, 30);

        assertThat(history.assign(6, 20)).isTrue();

        assertThat(history.entries())
                .containsExactly(new LeaderEpoch(0, 0), new LeaderEpoch(2, 13), new LeaderEpoch(6, 20));
    }

    @Test
    void anEpochOrOffsetBelowZeroIsABug() throws IOException {
        LeaderEpochHistory history = history();

        assertThatThrownBy(() -> history.assign(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> history.assign(0, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTruncatedEndForgetsWhatBeganThere() throws IOException {
        LeaderEpochHistory history = history(0, 0, 2, 13, 5, 20);

        assertThat(history.truncateFromEnd(21)).isFalse();
        assertThat(history.truncateFromEnd(20)).isTrue();
        assertThat(history.latestEpoch()).isEqualTo(2);
        assertThat(history.truncateFromEnd(0)).isTrue();
        assertThat(history.entries()).isEmpty();
    }

    @Test
    void aRaisedStartMovesTheEpochThatCoversIt() throws IOException {
        LeaderEpochHistory history = history(0, 0, 2, 13, 5, 20);

        assertThat(history.truncateFromStart(3)).isTrue();
        assertThat(history.entries())
                .containsExactly(new LeaderEpoch(0, 3), new LeaderEpoch(2, 13), new LeaderEpoch(5, 20));
        assertThat(history.truncateFromStart(3)).isFalse();
        assertThat(history.truncateFromStart(13)).isTrue();
        assertThat(history.entries()).containsExactly(new LeaderEpoch(2, 13), new LeaderEpoch(5, 20));
        assertThat(history.truncateFromStart(50)).isTrue();
        assertThat(history.entries()).containsExactly(new LeaderEpoch(5, 50));
    }

    // ---- what is answered -------------------------------------------------------------------------------------------

    @Test
    void theEndOfAnEpochIsTheStartOfTheNext() throws IOException {
        LeaderEpochHistory history = history(2, 13, 5, 20, 7, 30);

        assertThat(history.endOffsetFor(7, LOG_END)).isEqualTo(new EpochEnd(7, LOG_END));
        assertThat(history.endOffsetFor(5, LOG_END)).isEqualTo(new EpochEnd(5, 30));
        assertThat(history.endOffsetFor(6, LOG_END)).isEqualTo(new EpochEnd(5, 30));
        assertThat(history.endOffsetFor(4, LOG_END)).isEqualTo(new EpochEnd(2, 20));
        assertThat(history.endOffsetFor(1, LOG_END)).isEqualTo(new EpochEnd(1, 13));
        assertThat(history.endOffsetFor(8, LOG_END)).isEqualTo(EpochEnd.NONE);
        assertThat(history.endOffsetFor(-1, LOG_END)).isEqualTo(EpochEnd.NONE);
        assertThat(EpochEnd.NONE.isKnown()).isFalse();
    }

    @Test
    void withoutHistoryNoEpochHasAnEnd() throws IOException {
        assertThat(history().endOffsetFor(0, LOG_END)).isEqualTo(EpochEnd.NONE);
        assertThat(history().latestEpoch()).isEqualTo(LeaderEpochHistory.UNDEFINED);
        assertThat(history().latest()).isNull();
    }

    @Test
    void anOffsetHasTheEpochItWasWrittenIn() throws IOException {
        LeaderEpochHistory history = history(2, 13, 5, 20);

        assertThat(history.epochAt(12)).isEqualTo(LeaderEpochHistory.UNDEFINED);
        assertThat(history.epochAt(13)).isEqualTo(2);
        assertThat(history.epochAt(19)).isEqualTo(2);
        assertThat(history.epochAt(20)).isEqualTo(5);
        assertThat(history.epochAt(1000)).isEqualTo(5);
    }

    // ---- what is on disk --------------------------------------------------------------------------------------------

    @Test
    void theFileIsKafkas() throws IOException {
        history(0, 3, 2, 13).flush();

        assertThat(file()).hasContent("0\n2\n0 3\n2 13\n");
        assertThat(LeaderEpochHistory.open(directory).entries())
                .containsExactly(new LeaderEpoch(0, 3), new LeaderEpoch(2, 13));
    }

    @Test
    void aFlushWithoutAChangeTouchesNothing() throws IOException {
        history(0, 0).flush();
        LeaderEpochHistory again = LeaderEpochHistory.open(directory);
        Files.delete(file());

        again.flush();
        assertThat(file()).doesNotExist();
        again.assign(1, 5);
        again.flush();

        assertThat(file()).hasContent("0\n2\n0 0\n1 5\n");
    }

    @Test
    void anEmptiedHistoryIsAnEmptyFile() throws IOException {
        LeaderEpochHistory history = history(0, 0);
        history.flush();
        history.clear();

        history.flush();

        assertThat(file()).hasContent("0\n0\n");
    }

    @Test
    void aRenamedDirectoryIsFollowed() throws IOException {
        LeaderEpochHistory history = history(0, 0);
        Path moved = Files.createDirectory(directory.resolve("moved"));

        history.moveTo(moved);
        history.flush();

        assertThat(moved.resolve("leader-epoch-checkpoint")).exists();
    }

    @Test
    void anEmptyFileIsAnEmptyHistory() throws IOException {
        Files.createFile(file());

        assertThat(LeaderEpochHistory.open(directory).entries()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1\n1\n0 0\n",
                "x\n1\n0 0\n",
                "0\n2\n0 0\n",
                "0\n0\n0 0\n",
                "0\n-1\n",
                "0\nx\n0 0\n",
                "0\n1\n0\n",
                "0\n1\n0 0 0\n",
                "0\n1\nx 0\n",
                "0\n1\n0 x\n",
                "0\n1\n-1 0\n",
                "0\n1\n0 -1\n",
            })
    void aDamagedFileIsAFailureThatNamesIt(String content) throws IOException {
        Files.writeString(file(), content);

        assertThatThrownBy(() -> LeaderEpochHistory.open(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file().toString());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void endsAreThoseOfALogThatRemembersTheEpochOfEveryRecord(long seed) throws IOException {
        Random random = new Random(seed);
        LeaderEpochHistory history = history();
        List<Integer> epochOfOffset = new ArrayList<>();
        int epoch = 0;
        int start = 0;
        for (int step = 0; step < 500; step++) {
            int choice = random.nextInt(10);
            if (choice < 6) {
                epoch += random.nextInt(2);
                for (int i = random.nextInt(4); i >= 0; i--) {
                    history.assign(epoch, epochOfOffset.size());
                    epochOfOffset.add(epoch);
                }
            } else if (choice < 8 && epochOfOffset.size() > start) {
                int end = start + random.nextInt(epochOfOffset.size() - start);
                history.truncateFromEnd(end);
                epochOfOffset.subList(end, epochOfOffset.size()).clear();
            } else if (epochOfOffset.size() > start) {
                start += random.nextInt(epochOfOffset.size() - start);
                history.truncateFromStart(start);
            } else {
                history.flush();
                history = LeaderEpochHistory.open(directory);
            }
            check(history, epochOfOffset, start, epoch);
        }
    }

    static LongStream seeds() {
        long replay = Long.getLong("seed", 0);
        return replay != 0 ? LongStream.of(replay) : LongStream.rangeClosed(1, 10);
    }

    private static void check(LeaderEpochHistory history, List<Integer> epochOfOffset, int start, int newest) {
        int end = epochOfOffset.size();
        if (end == start) {
            return; // what an emptied log keeps is its owner's choice
        }
        for (int epoch = 0; epoch <= newest; epoch++) {
            int found = -1;
            int foundEnd = -1;
            int next = start;
            while (next < end && epochOfOffset.get(next) <= epoch) {
                found = epochOfOffset.get(next);
                next++;
            }
            if (next < end) {
                found = found == -1 ? epoch : found;
                foundEnd = next;
            } else if (found == epoch) {
                foundEnd = end;
            } else {
                found = -1;
            }
            assertThat(history.endOffsetFor(epoch, end)).isEqualTo(new EpochEnd(found, foundEnd));
        }
        for (int offset = start; offset < end; offset++) {
            assertThat(history.epochAt(offset)).isEqualTo(epochOfOffset.get(offset));
        }
    }

    private LeaderEpochHistory history(int... epochsAndOffsets) throws IOException {
        LeaderEpochHistory history = LeaderEpochHistory.open(directory);
        for (int i = 0; i < epochsAndOffsets.length; i += 2) {
            assertThat(history.assign(epochsAndOffsets[i], epochsAndOffsets[i + 1]))
                    .isTrue();
        }
        return history;
    }

    private Path file() {
        return directory.resolve("leader-epoch-checkpoint");
    }
}
