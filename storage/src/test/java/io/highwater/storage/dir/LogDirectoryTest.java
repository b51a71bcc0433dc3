package io.highwater.storage.dir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.highwater.storage.dir.DirectoryRefusedException.Reason;
import io.highwater.storage.dir.PartitionDirectory.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogDirectoryTest {
    private static final int NODE = 3;
    private static final String CLUSTER = "r2mRbO3PSjeo4TK1FqgXUg";
    private static final Uuid TOPIC_ID = Uuid.fromString("HaaWoFztTA2LfebCDBgHjg");

    @TempDir
    Path root;

    // ---- opening ----------------------------------------------------------------------------------------------------

    @Test
    void aMissingDirectoryIsMadeLockedAndFormatted() throws Exception {
        Path path = root.resolve("a/b");

        try (LogDirectory directory = open(path)) {
            assertThat(directory.identity()).isNull();
            DirectoryIdentity identity = directory.format(CLUSTER, NODE);

            assertThat(path.resolve(".lock")).exists();
            assertThat(directory.identity()).isEqualTo(identity);
            assertThat(DirectoryIdentity.read(path)).isEqualTo(identity);
            assertThat(identity.directoryId()).isNotNull();
        }
        assertThat(path.resolve(".lock")).doesNotExist();
    }

    @Test
    void formattingAgainChangesNothing() throws Exception {
        try (LogDirectory directory = open(root.resolve("a"))) {
            DirectoryIdentity first = directory.format(CLUSTER, NODE);

            assertThat(directory.format("another", 9)).isEqualTo(first);
        }
    }

    @Test
    void anOldDirectoryWithoutAnIdGetsOne() throws Exception {
        Path path = formatted("a", CLUSTER, NODE, null);

        try (LogDirectory directory = open(path)) {
            assertThat(directory.format(CLUSTER, NODE).directoryId()).isNotNull();
        }

        assertThat(DirectoryIdentity.read(path))
                .extracting(DirectoryIdentity::directoryId)
                .isNotNull();
    }

    @Test
    void aLockLeftByAKilledProcessIsTaken() throws Exception {
        Path path = Files.createDirectory(root.resolve("a"));
        Files.createFile(path.resolve(".lock"));

        open(path).close();

        assertThat(path.resolve(".lock")).doesNotExist();
    }

    @Test
    void aDirectoryHeldByThisProcessIsRefused() throws Exception {
        Path path = root.resolve("a");
        try (LogDirectory held = open(path)) {
            assertRefused(Reason.LOCKED, "log directory " + path + " is locked by this process already", path);

            assertThat(held.path().resolve(".lock")).exists();
        }
    }

    @Test
    void aDirectoryHeldByAnotherProcessIsRefused() throws Exception {
        Path path = Files.createDirectory(root.resolve("a"));
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        path.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(other.inputReader().readLine()).isEqualTo("locked");

            assertRefused(Reason.LOCKED, "log directory " + path + " is locked by another process", path);

            assertThat(path.resolve(".lock")).exists();
        } finally {
            other.destroyForcibly().waitFor();
        }
        open(path).close();
    }

    // ---- refusals: one sentence, nothing changed --------------------------------------------------------------------

    @Test
    void anotherNodesDirectoryIsRefused() throws Exception {
        Path path = formatted("a", CLUSTER, 4, TOPIC_ID);

        assertRefused(Reason.OTHER_NODE, "log directory " + path + " belongs to node 4, this is node 3", path);
    }

    @Test
    void aForeignClustersDirectoryIsRefused() throws Exception {
        Path path = formatted("a", "foreign", NODE, TOPIC_ID);
        Map<String, String> before = contents();

        DirectoryRefusedException refused = catchThrowableOfType(
                DirectoryRefusedException.class, () -> LogDirectory.openAll(List.of(path), NODE, CLUSTER));

        assertThat(refused.reason()).isEqualTo(Reason.FOREIGN_CLUSTER);
        assertThat(refused)
                .hasMessage(
                        "log directory " + path + " belongs to cluster foreign, but this node belongs to " + CLUSTER);
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void directoriesOfTwoClustersAreRefused() throws Exception {
        Path one = formatted("a", CLUSTER, NODE, TOPIC_ID);
        Path two = formatted("b", "foreign", NODE, Uuid.randomUuid());

        assertRefused(
                Reason.FOREIGN_CLUSTER,
                "log directory " + two + " belongs to cluster foreign, but " + one + " belongs to " + CLUSTER,
                one,
                two);
    }

    @Test
    void aCopiedDirectoryIsRefused() throws Exception {
        Path one = formatted("a", CLUSTER, NODE, TOPIC_ID);
        Path two = formatted("b", CLUSTER, NODE, TOPIC_ID);

        assertRefused(
                Reason.TWICE,
                "log directory " + two + " has the directory id " + TOPIC_ID + " of another: is it a copy?",
                one,
                two);
    }

    @Test
    void aDirectoryGivenTwiceIsRefused() {
        Path path = root.resolve("a");
        Path same = root.resolve("b/../a");

        assertRefused(Reason.TWICE, "log directory " + same + " is given twice", path, same);
    }

    @Test
    void aFileInPlaceOfADirectoryIsRefused() throws Exception {
        Path file = Files.createFile(root.resolve("a"));

        assertRefused(Reason.UNUSABLE, "log directory " + file + " is not a directory", file);
    }

    @Test
    void aDirectoryThatCannotBeMadeIsRefusedAndThoseMadeBeforeAreGoneAgain() throws Exception {
        Path made = root.resolve("new/a");
        Path impossible = Files.createFile(root.resolve("file")).resolve("b");

        DirectoryRefusedException refused = assertRefused(Reason.UNUSABLE, null, made, impossible);

        assertThat(refused.directory()).isEqualTo(impossible);
        assertThat(refused).hasMessageContaining("log directory " + impossible);
        assertThat(root.resolve("new")).doesNotExist();
    }

    @Test
    void anUnwritableDirectoryIsRefused() {
        Path unwritable = Path.of("/proc/highwater");
        assumeTrue(Files.isDirectory(Path.of("/proc/self")), "needs a file system nobody can write to");

        DirectoryRefusedException refused = assertRefused(Reason.UNUSABLE, null, unwritable);

        assertThat(refused).hasMessageStartingWith("log directory /proc/highwater cannot be used: ");
    }

    @Test
    void whenTheSecondDirectoryIsHeldTheFirstIsLetGo() throws Exception {
        Path free = root.resolve("free");
        Path held = root.resolve("held");
        try (LogDirectory holder = open(held)) {
            assertRefused(Reason.LOCKED, "log directory " + holder + " is locked by this process already", free, held);
        }
        open(free).close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "version=1\nnode.id=3\n",
                "version=1\ncluster.id=c\n",
                "version=1\ncluster.id=c\nnode.id=three\n",
                "version=1\ncluster.id=c\nnode.id=3\ndirectory.id=no-uuid\n",
                "version=0\ncluster.id=c\nbroker.id=3\n",
                "version=2\ncluster.id=c\nnode.id=3\n",
                "cluster.id=c\\u12\n",
                "",
            })
    void anIdentityThatMakesNoSenseIsRefused(String content) throws Exception {
        Path path = Files.createDirectory(root.resolve("a"));
        Files.writeString(path.resolve("meta.properties"), content);

        DirectoryRefusedException refused = assertRefused(Reason.BAD_IDENTITY, null, path);

        assertThat(refused)
                .hasMessageStartingWith(path.resolve("meta.properties").toString());
    }

    // ---- identity ---------------------------------------------------------------------------------------------------

    @Test
    void anIdentityWrittenByKafkaIsRead() throws Exception {
        Files.writeString(root.resolve("meta.properties"), """
            #
            #Sun Nov 29 18:14:37 UTC 2026
            node.id=1
            directory.id=HaaWoFztTA2LfebCDBgHjg
            version=1
            cluster.id=r2mRbO3PSjeo4TK1FqgXUg
            """);

        assertThat(DirectoryIdentity.read(root)).isEqualTo(new DirectoryIdentity(CLUSTER, 1, TOPIC_ID));
    }

    @Test
    void anIdentityIsWrittenAsKafkaReadsIt() throws Exception {
        new DirectoryIdentity(CLUSTER, 1, TOPIC_ID).write(root);

        assertThat(Files.readAllLines(root.resolve("meta.properties")))
                .contains("version=1", "cluster.id=" + CLUSTER, "node.id=1", "directory.id=HaaWoFztTA2LfebCDBgHjg")
                .hasSize(6);
    }

    // ---- clean stop -------------------------------------------------------------------------------------------------

    @Test
    void theMarkerOfACleanStopIsThereOnce() throws Exception {
        try (LogDirectory directory = open(root.resolve("a"))) {
            directory.markCleanShutdown(299);

            assertThat(directory.path().resolve(".kafka_cleanshutdown"))
                    .hasContent("{\"version\":0,\"brokerEpoch\":299}");
            assertThat(directory.takeCleanShutdown()).isEqualTo(new CleanShutdown(299));
            assertThat(directory.takeCleanShutdown()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"version\":0}", "not json", "{\"brokerEpoch\":99999999999999999999}"})
    void aMarkerThatDoesNotSayTheEpochIsStillOne(String content) throws Exception {
        try (LogDirectory directory = open(root.resolve("a"))) {
            Files.writeString(directory.path().resolve(".kafka_cleanshutdown"), content);

            assertThat(directory.takeCleanShutdown()).isEqualTo(new CleanShutdown(-1));
        }
    }

    // ---- partition directories --------------------------------------------------------------------------------------

    @Test
    void everyKindOfPartitionDirectoryIsFound() throws Exception {
        try (LogDirectory directory = open(root.resolve("a"))) {
            String hex = "cb9730da43f14f01a66fde9a70eb956c";
            for (String name : List.of(
                    "plain-0",
                    "with-dash-and.dot-12",
                    "gone-0." + hex + "-delete",
                    "lost-1." + hex + "-stray",
                    "moving-2." + hex + "-future",
                    "remote-log-index-cache",
                    "__cluster_metadata-0")) {
                Files.createDirectory(directory.path().resolve(name));
            }
            Files.createFile(directory.path().resolve("a-file"));

            assertThat(directory.partitionDirectories())
                    .extracting(PartitionDirectory::partition, PartitionDirectory::kind)
                    .containsExactlyInAnyOrder(
                            tuple(new TopicPartition("plain", 0), Kind.LIVE),
                            tuple(new TopicPartition("with-dash-and.dot", 12), Kind.LIVE),
                            tuple(new TopicPartition("gone", 0), Kind.DELETED),
                            tuple(new TopicPartition("lost", 1), Kind.STRAY),
                            tuple(new TopicPartition("moving", 2), Kind.FUTURE));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lost+found",
                "plain",
                "plain-",
                "-0",
                "plain-x",
                "plain-0-delete",
                "plain-0.abc-deleted",
                "plain-99999999999",
                "pl ain-0"
            })
    void aDirectoryWithAStrangeNameStopsTheStart(String name) throws Exception {
        try (LogDirectory directory = open(root.resolve("a"))) {
            Files.createDirectory(directory.path().resolve(name));

            assertThatThrownBy(directory::partitionDirectories)
                    .isInstanceOf(DirectoryRefusedException.class)
                    .hasMessageContaining("'" + name + "'")
                    .hasMessageContaining(directory.path().toString());
        }
    }

    @Test
    void aPartitionDirectoryIsMadeWithItsTopicId() throws Exception {
        try (LogDirectory directory = open(root.resolve("a"))) {
            Path made = directory.createPartitionDirectory(new TopicPartition("orders", 2), TOPIC_ID);
            Path again = directory.createPartitionDirectory(new TopicPartition("orders", 2), TOPIC_ID);

            assertThat(made).isEqualTo(directory.path().resolve("orders-2")).isEqualTo(again);
            assertThat(Files.readString(made.resolve("partition.metadata")))
                    .isEqualTo("version: 0\ntopic_id: HaaWoFztTA2LfebCDBgHjg")
                    .hasSize(43);
            assertThat(PartitionMetadata.readTopicId(made)).isEqualTo(TOPIC_ID);
        }
    }

    @Test
    void aTopicOfTheSameNameDoesNotInheritTheFilesOfAnother() throws Exception {
        try (LogDirectory directory = open(root.resolve("a"))) {
            Path old = directory.createPartitionDirectory(new TopicPartition("orders", 2), Uuid.randomUuid());
            Files.writeString(old.resolve("00000000000000000000.log"), "theirs");

            Path made = directory.createPartitionDirectory(new TopicPartition("orders", 2), TOPIC_ID);

            assertThat(PartitionMetadata.readTopicId(made)).isEqualTo(TOPIC_ID);
            assertThat(made.resolve("00000000000000000000.log")).doesNotExist();
            assertThat(directory.partitionDirectories())
                    .extracting(PartitionDirectory::kind)
                    .containsExactlyInAnyOrder(Kind.LIVE, Kind.STRAY);
        }
    }

    @Test
    void aMissingTopicIdIsNoFailure() throws Exception {
        assertThat(PartitionMetadata.readTopicId(root)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "version: 0",
                "version: 1\ntopic_id: HaaWoFztTA2LfebCDBgHjg",
                "version: 0\ntopic_id: short",
                "version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA",
            })
    void aDamagedTopicIdIsAFailureThatNamesTheFile(String content) throws Exception {
        Path file = Files.writeString(root.resolve("partition.metadata"), content);

        assertThatThrownBy(() -> PartitionMetadata.readTopicId(root))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void aRenamedPartitionIsFoundAsWhatItBecame() throws Exception {
        try (LogDirectory directory = open(root.resolve("a"))) {
            TopicPartition partition = new TopicPartition("orders", 2);
            for (Kind kind : List.of(Kind.DELETED, Kind.STRAY, Kind.FUTURE)) {
                Path made = directory.createPartitionDirectory(partition, TOPIC_ID);

                Path renamed = directory.rename(made, partition, kind);

                assertThat(made).doesNotExist();
                assertThat(directory.partitionDirectories())
                        .containsExactly(new PartitionDirectory(renamed, partition, kind));
                PendingDeletions.deleteTree(renamed);
            }
        }
    }

    @Test
    void theLongestTopicNameIsCutToFit() throws Exception {
        TopicPartition partition = new TopicPartition("t".repeat(249), 1234567890);

        for (Kind kind : List.of(Kind.DELETED, Kind.STRAY, Kind.FUTURE)) {
            String name = PartitionDirectory.freshName(partition, kind);

            assertThat(name).hasSize(255).matches("t+-1234567890\\.[0-9a-f]{32}-(delete|stray|future)");
            Files.createDirectory(root.resolve(name));
        }
    }

    @Test
    void spaceIsThatOfTheFileSystem() throws Exception {
        try (LogDirectory directory = open(root.resolve("a"))) {
            assertThat(directory.usableBytes()).isBetween(0L, directory.totalBytes());
        }
    }

    private static LogDirectory open(Path path) throws DirectoryRefusedException {
        return LogDirectory.openAll(List.of(path), NODE, null).get(0);
    }

    private Path formatted(String name, String clusterId, int nodeId, @Nullable Uuid directoryId) throws IOException {
        Path path = Files.createDirectory(root.resolve(name));
        new DirectoryIdentity(clusterId, nodeId, directoryId).write(path);
        return path;
    }

    private DirectoryRefusedException assertRefused(Reason reason, @Nullable String message, Path... paths) {
        Map<String, String> before = contents();

        DirectoryRefusedException refused = catchThrowableOfType(
                DirectoryRefusedException.class, () -> LogDirectory.openAll(List.of(paths), NODE, null));

        assertThat(refused.reason()).isEqualTo(reason);
        assertThat(refused.getMessage()).doesNotContain("\n");
        if (message != null) {
            assertThat(refused).hasMessage(message);
        }
        assertThat(contents()).isEqualTo(before);
        return refused;
    }

    /** Every path below the root with its content. */
    private Map<String, String> contents() {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                contents.put(path.toString(), Files.isRegularFile(path) ? Files.readString(path) : "");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return contents;
    }

    /** Holds a directory until it is killed. */
    static final class LockHolder {
        private LockHolder() {}

        public static void main(String[] args) throws Exception {
            LogDirectory.openAll(List.of(Path.of(args[0])), NODE, null);
            System.out.println("locked");
            Thread.currentThread().join();
        }
    }
}
