package io.highwater.broker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The arrows of the house: which room may know which. Runs here because this module sees all others. */
class ArchitectureTest {
    private static final String ROOT = "io.highwater.";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.highwater");

    private static final String[] KAFKA_SERVER_MODULES = {
        "org.apache.kafka.raft..",
        "org.apache.kafka.metadata..",
        "org.apache.kafka.controller..",
        "org.apache.kafka.image..",
        "org.apache.kafka.coordinator..",
        "org.apache.kafka.storage..",
        "org.apache.kafka.server.."
    };

    @Test
    void replicationKnowsOnlyTheJdk() {
        check(noClasses()
                .that()
                .resideInAPackage(ROOT + "replication..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(ROOT + "replication..", "java.lang..", "java.util", "org.jspecify.."));
    }

    @Test
    void replicationTouchesNoClock() {
        check(noClasses()
                .that()
                .resideInAPackage(ROOT + "replication..")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime"));
    }

    @Test
    void wireKnowsKafkaMessagesAndNettyBuffers() {
        check(noClasses()
                .that()
                .resideInAPackage(ROOT + "wire..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        ROOT + "wire..",
                        "java..",
                        "org.jspecify..",
                        "org.apache.kafka.common..",
                        "org.apache.kafka.clients..",
                        "io.netty.."));
    }

    @Test
    void storageKnowsTheRecordFormat() {
        check(noClasses()
                .that()
                .resideInAPackage(ROOT + "storage..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        ROOT + "storage..", "java..", "org.jspecify..", "org.apache.kafka.common..", "org.slf4j.."));
    }

    @Test
    void kafkaServerModulesStayBehindTheTwoFacades() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "controlplane..", ROOT + "coordination..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(KAFKA_SERVER_MODULES));
    }

    @Test
    void theFacadesKnowNothingOfOurs() {
        for (String facade : new String[] {"controlplane", "coordination"}) {
            check(noClasses()
                    .that()
                    .resideInAPackage(ROOT + facade + "..")
                    .should()
                    .dependOnClassesThat(new OursExcept(facade)));
        }
    }

    @Test
    void arrowsInsideTheBrokerPointForward() {
        String broker = ROOT + "broker.";
        forbid(broker + "net..", broker + "boot..");
        forbid(broker + "api..", broker + "boot..", broker + "net..", broker + "peer..", broker + "http..");
        forbid(broker + "peer..", broker + "boot..", broker + "net..", broker + "api..", broker + "http..");
        forbid(broker + "fencing..", broker + "boot..", broker + "net..", broker + "http..");
        forbid(
                broker + "view..",
                broker + "boot..",
                broker + "net..",
                broker + "api..",
                broker + "peer..",
                broker + "http..",
                broker + "step..");
        forbid(broker + "step..", broker + "boot..", broker + "net..", broker + "peer..", broker + "http..");
        forbid(
                broker + "partition..",
                broker + "boot..",
                broker + "net..",
                broker + "api..",
                broker + "peer..",
                broker + "http..");
        forbid(
                broker + "disk..",
                broker + "boot..",
                broker + "net..",
                broker + "api..",
                broker + "partition..",
                broker + "peer..",
                broker + "http..");
        forbid(
                broker + "config..",
                broker + "boot..",
                broker + "net..",
                broker + "api..",
                broker + "partition..",
                broker + "peer..",
                broker + "disk..",
                broker + "metrics..",
                broker + "http..");
        forbid(
                broker + "metrics..",
                broker + "boot..",
                broker + "net..",
                broker + "api..",
                broker + "partition..",
                broker + "peer..",
                broker + "disk..",
                broker + "http..");
    }

    @Test
    void onlyTheNetworkRoomsKnowNetty() {
        check(noClasses()
                .that()
                .resideInAPackage(ROOT + "broker..")
                .and()
                .resideOutsideOfPackages(
                        ROOT + "broker.net..",
                        ROOT + "broker.peer..",
                        ROOT + "broker.http..",
                        ROOT + "broker.boot..",
                        ROOT + "broker.metrics..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..", "io.vertx.core.net..", "io.vertx.core.buffer.."));
    }

    @Test
    void whatIsShownIsDecidedWithoutVertx() {
        check(noClasses()
                .that()
                .resideInAPackage(ROOT + "broker.view..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..", "io.vertx.."));
    }

    @Test
    void onlyMetricsKnowsTheLibraryForIt() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "broker.metrics..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.prometheus.."));
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching(ROOT + "(*).(**)").should().beFreeOfCycles());
    }

    @Test
    void noRoomIsEverybodysNeighbour() {
        check(noClasses().should().resideInAnyPackage("..common..", "..util..", "..utils..", "..core.."));
    }

    private static void forbid(String from, String... targets) {
        check(noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(targets));
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(CLASSES);
    }

    /** Any class of the project outside one of its modules. */
    private static final class OursExcept
            extends com.tngtech.archunit.base.DescribedPredicate<com.tngtech.archunit.core.domain.JavaClass> {
        private final String own;

        OursExcept(String module) {
            super("are ours, outside " + module);
            this.own = ROOT + module;
        }

        @Override
        public boolean test(com.tngtech.archunit.core.domain.JavaClass type) {
            return type.getPackageName().startsWith("io.highwater")
                    && !type.getPackageName().startsWith(own);
        }
    }
}
