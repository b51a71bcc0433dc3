package io.highwater.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CompatibilityStatementTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "compatibility.md");

    @Test
    void theDocumentSaysWhatTheCodeDoes() throws IOException {
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(DOCUMENT, CompatibilityStatement.markdown());
        }

        assertThat(DOCUMENT)
                .as("write it anew with: mvn test -pl broker-server -am -Dtest=CompatibilityStatementTest"
                        + " -Ddocs.write=true")
                .hasContent(CompatibilityStatement.markdown());
    }
}
