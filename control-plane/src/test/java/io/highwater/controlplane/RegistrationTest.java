package io.highwater.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker without a controller of its own meets the controller of another node. */
class RegistrationTest {
    @TempDir
    Path directory;

    private TestNode controller;

    @BeforeEach
    void start() {
        controller = TestNode.combined(1, directory.resolve("1")).start().unfenced();
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    @Test
    void aBrokerFollowsTheControllersLogAndIsUnfenced() {
        try (TestNode broker =
                broker(2, controller.identity.clusterId(), Map.of()).start()) {
            broker.unfenced();

            assertThat(broker.controlPlane.image().brokers()).hasSize(2);
            assertThat(broker.controlPlane.isActiveController()).isFalse();
            assertThat(broker.controlPlane.controllerId()).hasValue(1);
        }
    }

    @Test
    void aBrokerThatOnlyKnowsWhereToAskJoinsAQuorumOfStaticVoters() {
        SocketListener listener = new SocketListener(0);
        Map<String, String> voters = Map.of("controller.quorum.voters", "1@localhost:" + listener.port());
        try (TestNode voter = TestNode.combined(1, directory.resolve("static"), listener, null, voters)
                        .start()
                        .unfenced();
                TestNode broker = TestNode.broker(
                                2, directory.resolve("asking"), voter.identity.clusterId(), listener.port(), Map.of())
                        .start()) {
            broker.unfenced();

            assertThat(voter.controlPlane.image().broker(2)).isNotNull();
        }
    }

    @Test
    void aSecondProcessWithTheSameNodeIdIsRefused() {
        try (TestNode first = broker(2, controller.identity.clusterId(), Map.of())
                        .start()
                        .unfenced();
                TestNode twin = TestNode.broker(
                                2,
                                directory.resolve("twin"),
                                controller.identity.clusterId(),
                                controller.listener.port(),
                                Map.of())
                        .start()) {
            assertThatThrownBy(twin::registered)
                    .isInstanceOfSatisfying(
                            ControlPlaneException.class,
                            refused -> assertThat(refused.reason())
                                    .isEqualTo(ControlPlaneException.Reason.DUPLICATE_BROKER))
                    .hasMessage("another process is registered as broker 2 and keeps its session alive");
            assertThat(first.controlPlane.lifecycle().state()).isEqualTo(BrokerLifecycle.State.RUNNING);
        }
    }

    @Test
    void aBrokerWithTheNodeIdOfAControllerIsRefused() {
        try (TestNode twin =
                broker(1, controller.identity.clusterId(), Map.of()).start()) {
            assertThatThrownBy(twin::registered)
                    .isInstanceOfSatisfying(
                            ControlPlaneException.class,
                            refused -> assertThat(refused.reason())
                                    .isEqualTo(ControlPlaneException.Reason.DUPLICATE_BROKER))
                    .hasMessage("another process is a controller with node.id 1 of this cluster");
            assertThat(twin.fault).hasNullValue();
        }
    }

    @Test
    void aBrokerOfAnotherClusterIsRefused() {
        try (TestNode stranger =
                broker(2, Uuid.randomUuid().toString(), Map.of()).start()) {
            assertThatThrownBy(stranger::registered)
                    .isInstanceOfSatisfying(
                            ControlPlaneException.class,
                            refused -> assertThat(refused.reason())
                                    .isEqualTo(ControlPlaneException.Reason.FOREIGN_CLUSTER))
                    .hasMessageContaining("another cluster");
        }
    }

    @Test
    void withoutAControllerTheRegistrationTimesOut() {
        controller.close();
        Map<String, String> impatient = Map.of("initial.broker.registration.timeout.ms", "700");
        try (TestNode lonely =
                broker(2, controller.identity.clusterId(), impatient).start()) {
            assertThatThrownBy(lonely::registered)
                    .isInstanceOfSatisfying(
                            ControlPlaneException.class,
                            refused -> assertThat(refused.reason()).isEqualTo(ControlPlaneException.Reason.TIMED_OUT))
                    .hasMessageContaining("initial.broker.registration.timeout.ms");
        }
    }

    @Test
    void aBrokerThatWaitsLearnsThatItIsClosed() {
        TestNode waiting = broker(2, controller.identity.clusterId(), Map.of()).start();

        waiting.close();

        assertThatThrownBy(() -> TestNode.await(waiting.controlPlane.lifecycle().caughtUp()))
                .isInstanceOf(ControlPlaneException.class);
    }

    private TestNode broker(int id, String clusterId, Map<String, String> properties) {
        return TestNode.broker(
                id, directory.resolve("broker-" + id), clusterId, controller.listener.port(), properties);
    }
}
