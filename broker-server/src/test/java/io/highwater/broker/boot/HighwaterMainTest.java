package io.highwater.broker.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HighwaterMainTest {
    @TempDir
    private Path directory;

    @Test
    void aWrongSettingIsRefusedWithItsNameItsValueAndWhatIsAllowed() {
        Run run = run("doctor", "--set", "log.segment.bytes=many");

        assertThat(run.exitCode).isEqualTo(1);
        assertThat(run.err)
                .startsWith("highwater: ")
                .contains("log.segment.bytes", "many", "allowed")
                .hasLineCount(1);
    }

    @Test
    void aMissingFileIsRefusedWithItsName() {
        Run run = run("start", "-c", directory.resolve("none.properties").toString());

        assertThat(run.exitCode).isEqualTo(1);
        assertThat(run.err).contains("none.properties", "no such file").hasLineCount(1);
    }

    @Test
    void anUnknownOptionIsWrongUsage() {
        Run run = run("start", "--port", "1");

        assertThat(run.err).contains("unknown option --port", "--help").hasLineCount(1);
        assertThat(run.exitCode).isEqualTo(2);
    }

    @Test
    void anOptionWithoutItsValueIsWrongUsage() {
        assertThat(run("start", "-c").exitCode).isEqualTo(2);
        assertThat(run("start", "--set", "novalue").exitCode).isEqualTo(2);
    }

    @Test
    void aClusterIdIsForFormatAlone() {
        Run run = run("doctor", "-t", "AAAAAAAAAAAAAAAAAAAAAQ");

        assertThat(run.err).contains("doctor takes no cluster id");
        assertThat(run.exitCode).isEqualTo(2);
    }

    @Test
    void anUnknownCommandIsWrongUsage() {
        assertThat(run("stop").exitCode).isEqualTo(2);
    }

    @Test
    void helpIsNoError() {
        Run run = run("start", "--help");

        assertThat(run.out).contains("--set NAME=VALUE");
        assertThat(run.exitCode).isZero();
    }

    @Test
    void doctorChangesNothing() throws IOException {
        Path logs = directory.resolve("logs");

        Run run = run(
                "doctor",
                "--set",
                "log.dirs=" + logs,
                "--set",
                "listeners=PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0");

        assertThat(run.out).contains("It would start.");
        assertThat(run.exitCode).isZero();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void doctorFindsALogDirectoryThatIsAFile() throws IOException {
        Path file = Files.createFile(directory.resolve("logs"));

        Run run = run(
                "doctor",
                "--set",
                "log.dirs=" + file,
                "--set",
                "listeners=PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0");

        assertThat(run.out).contains(file + " is not a directory", "It would not start.");
        assertThat(run.exitCode).isEqualTo(1);
    }

    @Test
    void versionNamesTheProtocol() {
        assertThat(run("version").out).contains("Highwater ", "4.4.0");
    }

    private record Run(int exitCode, String out, String err) {}

    private static Run run(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = HighwaterMain.run(
                words,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Run(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
