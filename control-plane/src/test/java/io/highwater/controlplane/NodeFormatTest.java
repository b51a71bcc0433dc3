package io.highwater.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeFormatTest {
    private static final String SNAPSHOT = "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint";

    @TempDir
    Path root;

    @Test
    void aControllerGetsAnIdentityAndAFirstSnapshot() {
        NodeIdentity identity = NodeFormat.readOrFormat(node(1, "a", "b").build(), null);

        assertThat(identity.newlyFormatted()).isTrue();
        assertThat(identity.directories()).hasSize(2).doesNotHaveDuplicates();
        assertThat(identity.clusterId()).hasSize(22);
        assertThat(root.resolve("a/meta.properties")).content().contains("node.id=1", "version=1");
        assertThat(root.resolve("a").resolve(SNAPSHOT)).exists();
        assertThat(root.resolve("b").resolve(SNAPSHOT)).doesNotExist();
    }

    @Test
    void aBrokerGetsNoSnapshot() {
        NodeSettings broker = NodeSettings.node(2, Role.BROKER)
                .logDirectories(root.resolve("a"))
                .brokerEndpoint(TestNode.endpoint("PLAINTEXT", 9092))
                .properties(Map.of("controller.quorum.voters", "1@localhost:9093"))
                .build();

        NodeFormat.readOrFormat(broker, "oqJlKFK6TrSOJRS4PrJVuw");

        assertThat(root.resolve("a/meta.properties")).content().contains("cluster.id=oqJlKFK6TrSOJRS4PrJVuw");
        assertThat(root.resolve("a").resolve(SNAPSHOT)).doesNotExist();
    }

    @Test
    void whatWasFormattedIsReadAgain() {
        NodeIdentity formatted = NodeFormat.readOrFormat(node(1, "a", "b").build(), null);

        NodeIdentity read = NodeFormat.readOrFormat(node(1, "a", "b").build(), null);

        assertThat(read.newlyFormatted()).isFalse();
        assertThat(read.directories()).isEqualTo(formatted.directories());
        assertThat(read).isEqualTo(NodeFormat.read(node(1, "a", "b").build()));
    }

    @Test
    void aDirectoryThatIsAddedLaterJoinsTheSameCluster() {
        NodeIdentity before = NodeFormat.readOrFormat(node(1, "a").build(), null);

        NodeIdentity after = NodeFormat.readOrFormat(node(1, "a", "b").build(), null);

        assertThat(after.clusterId()).isEqualTo(before.clusterId());
        assertThat(after.directories()).hasSize(2).containsAll(before.directories());
    }

    @Test
    void formatRefusesWhatIsFormatted() {
        NodeFormat.format(node(1, "a").build(), null, InitialVoters.standalone());

        refused(
                () -> NodeFormat.format(node(1, "a").build(), null, InitialVoters.standalone()),
                ControlPlaneException.Reason.FOREIGN_DIRECTORY,
                "already formatted: " + root.resolve("a"));
    }

    @Test
    void readRefusesWhatIsNotFormatted() {
        refused(
                () -> NodeFormat.read(node(1, "a").build()),
                ControlPlaneException.Reason.NOT_FORMATTED,
                "not formatted: " + root.resolve("a"));
    }

    @Test
    void theDirectoryOfAnotherNodeIsRefusedAndNothingIsWritten() {
        NodeFormat.readOrFormat(node(1, "a").build(), null);
        List<String> before = files();

        refused(
                () -> NodeFormat.readOrFormat(node(2, "a", "b").build(), null),
                ControlPlaneException.Reason.FOREIGN_DIRECTORY,
                root.resolve("a") + " belongs to node 1, but node.id is 2");

        assertThat(files()).isEqualTo(before);
    }

    @Test
    void directoriesOfTwoClustersAreRefused() {
        NodeFormat.readOrFormat(node(1, "a").build(), null);
        NodeFormat.readOrFormat(node(1, "b").build(), null);

        refused(
                () -> NodeFormat.readOrFormat(node(1, "a", "b").build(), null),
                ControlPlaneException.Reason.FOREIGN_DIRECTORY,
                "its neighbours to cluster");
    }

    @Test
    void anotherClusterIdThanTheDirectoriesHaveIsRefused() {
        NodeFormat.readOrFormat(node(1, "a").build(), null);

        refused(
                () -> NodeFormat.readOrFormat(node(1, "a", "b").build(), "oqJlKFK6TrSOJRS4PrJVuw"),
                ControlPlaneException.Reason.FOREIGN_DIRECTORY,
                "not to oqJlKFK6TrSOJRS4PrJVuw");
    }

    @Test
    void aLostMetadataDirectoryIsNotFormattedAnew() {
        NodeFormat.readOrFormat(node(1, "b").build(), null);

        refused(
                () -> NodeFormat.readOrFormat(
                        node(1, "b").metadataLogDirectory(root.resolve("m")).build(), null),
                ControlPlaneException.Reason.NOT_FORMATTED,
                "is empty although other directories of this node are formatted");
    }

    @Test
    void aBadSettingNamesItselfAndItsValue() {
        Map<String, String> bad = new HashMap<>();
        bad.put("controller.quorum.voters", "1@localhost");

        refused(
                () -> NodeFormat.readOrFormat(node(1, "a").properties(bad).build(), null),
                ControlPlaneException.Reason.BAD_SETTING,
                "1@localhost");
    }

    @Test
    void aControllerJoinsWhenTheBootstrapServersAreOthers() {
        Map<String, String> others = Map.of("controller.quorum.bootstrap.servers", "localhost:9093,other:9093");

        NodeFormat.readOrFormat(
                node(1, "a").properties(others).build(), Uuid.randomUuid().toString());

        assertThat(root.resolve("a").resolve(SNAPSHOT)).exists();
        assertThat(sizeOf(SNAPSHOT)).isLessThan(sizeOfStandalone());
    }

    private long sizeOf(String file) {
        return root.resolve("a").resolve(file).toFile().length();
    }

    private long sizeOfStandalone() {
        NodeFormat.readOrFormat(node(1, "s").build(), null);
        return root.resolve("s").resolve(SNAPSHOT).toFile().length();
    }

    private NodeSettings.Builder node(int id, String... directories) {
        return NodeSettings.node(id, Role.BROKER, Role.CONTROLLER)
                .logDirectories(Stream.of(directories).map(root::resolve).toArray(Path[]::new))
                .brokerEndpoint(TestNode.endpoint("PLAINTEXT", 9092))
                .controllerEndpoint(TestNode.endpoint("CONTROLLER", 9093));
    }

    private List<String> files() {
        try (Stream<Path> all = Files.walk(root)) {
            return all.map(Path::toString).sorted().toList();
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    private static void refused(ThrowingCallable call, ControlPlaneException.Reason reason, String sentence) {
        Consumer<ControlPlaneException> check =
                thrown -> assertThat(thrown.reason()).isEqualTo(reason);
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(ControlPlaneException.class, check)
                .hasMessageContaining(sentence);
    }
}
