package io.highwater.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.testkit.BootstrapServers;
import io.highwater.testkit.HighwaterCluster;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A client line from 2021 works unchanged. */
@HighwaterCluster
class OldClientIT {
    @Test
    void clients28AdministerProduceAndConsume(@BootstrapServers String servers) throws Exception {
        String own = Path.of(OldClientProgram.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        String old = Path.of(System.getProperty("highwater.oldClient"), "*").toString();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        own + File.pathSeparator + old,
                        OldClientProgram.class.getName(),
                        servers)
                .redirectErrorStream(true)
                .start();

        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(printed).isZero();
        assertThat(printed).contains("2.8.2: all 500 records came back");
    }
}
