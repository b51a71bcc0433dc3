package io.highwater.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StopTest {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");

    @TempDir
    Path directory;

    @Test
    void noThreadAndNoFileIsLeftAndItTakesLessThanTwoSeconds() {
        TestNode.combined(1, directory.resolve("warm")).start().unfenced().close();
        Set<String> threadsBefore = threads();

        TestNode node = TestNode.combined(2, directory.resolve("cold")).start().unfenced();
        assertThat(threads()).hasSizeGreaterThan(threadsBefore.size());
        long before = System.nanoTime();
        node.close();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
        await().untilAsserted(() -> assertThat(threads()).isEqualTo(threadsBefore));
        assertThat(openFilesUnder(directory)).isEmpty();
    }

    @Test
    void aNodeThatIsOnlyBuiltLeavesNothing() {
        Set<String> threadsBefore = threads();

        TestNode.combined(1, directory).close();

        await().untilAsserted(() -> assertThat(threads()).isEqualTo(threadsBefore));
    }

    @Test
    void closeIsIdempotentAndWhatIsAskedAfterwardsFails() {
        TestNode node = TestNode.combined(1, directory).start().unfenced();

        node.close();
        node.close();

        refused(node.controlPlane.allocateProducerIds());
        refused(node.controlPlane.assignReplicaToDirectory(Uuid.randomUuid(), 0, Uuid.randomUuid()));
        refused(node.controlPlane.alterPartition(
                new InSyncReplicasProposal(Uuid.randomUuid(), 0, 0, 0, java.util.List.of())));
        refused(node.controlPlane.listen(change -> {}));
    }

    @Test
    void aRequestThatComesBeforeTheStartWaitsForIt() {
        TestNode node = TestNode.combined(1, directory);
        RequestHeader header = new RequestHeader(ApiKeys.API_VERSIONS, (short) 2, "early", 1);

        CompletionStage<ApiMessage> answer =
                node.controlPlane.handleControllerRequest(header, new ApiVersionsRequestData(), Caller.self());
        assertThat(answer.toCompletableFuture()).isNotDone();
        node.start();

        assertThat(TestNode.await(answer)).isNotNull();
        node.close();
    }

    private static void refused(CompletionStage<?> stage) {
        assertThatThrownBy(() -> TestNode.await(stage)).isInstanceOf(ControlPlaneException.class);
    }

    /** Names of running threads, without those that the JVM, the test and Kafka's process-wide metrics keep. */
    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> !name.startsWith("metrics-meter-tick-thread"))
                .filter(name -> !name.startsWith("awaitility"))
                .filter(name -> !name.startsWith("test-listener"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> openFilesUnder(Path root) {
        if (!Files.isDirectory(OPEN_FILES)) {
            return Set.of();
        }
        try (Stream<Path> descriptors = Files.list(OPEN_FILES)) {
            return descriptors
                    .map(StopTest::target)
                    .filter(target -> target.startsWith(root.toString()))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}
