package io.highwater.storage.dir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PendingDeletionsTest {
    @TempDir
    Path directory;

    private final PendingDeletions deletions = new PendingDeletions();

    @Test
    void nothingGoesBeforeItsTime() throws IOException {
        Path early = Files.createFile(directory.resolve("early"));
        Path late = Files.createFile(directory.resolve("late"));
        deletions.add(late, 200);
        deletions.add(early, 100);

        assertThat(deletions.nextDueMs()).isEqualTo(100);
        assertThat(deletions.deleteDue(99)).isZero();
        assertThat(deletions.deleteDue(100)).isEqualTo(1);

        assertThat(early).doesNotExist();
        assertThat(late).exists();
        assertThat(deletions.nextDueMs()).isEqualTo(200);
        assertThat(deletions.size()).isEqualTo(1);
    }

    @Test
    void aDirectoryGoesWithAllThatIsInIt() throws IOException {
        Path tree = Files.createDirectories(directory.resolve("a/b/c"));
        Files.createFile(tree.resolve("file"));
        Files.createFile(directory.resolve("a/file"));
        deletions.add(directory.resolve("a"), 0);

        assertThat(deletions.deleteDue(0)).isEqualTo(1);

        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void whatIsGoneAlreadyIsNoFailure() {
        deletions.add(directory.resolve("nothing"), 0);

        assertThat(deletions.deleteDue(0)).isEqualTo(1);
        assertThat(deletions.nextDueMs()).isEqualTo(PendingDeletions.NOTHING);
    }

    @Test
    void aLinkIsDeletedAndNotFollowed() throws IOException {
        Path kept = Files.createDirectory(directory.resolve("kept"));
        Files.createFile(kept.resolve("file"));
        Path tree = Files.createDirectory(directory.resolve("tree"));
        Files.createSymbolicLink(tree.resolve("link"), kept);

        PendingDeletions.deleteTree(tree);

        assertThat(tree).doesNotExist();
        assertThat(kept.resolve("file")).exists();
    }
}
