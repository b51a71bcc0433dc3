package io.highwater.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SeriesWriterTest {
    @Test
    void aFamilyIsItsHelpItsTypeAndItsSamples() {
        assertThat(written(out -> out.gauge("size", "Bytes \\ and\nlines")
                        .sample(5, "topic", "a")
                        .sample(0.25)))
                .isEqualTo("# HELP size Bytes \\\\ and\\nlines\n# TYPE size gauge\nsize{topic=\"a\"} 5\nsize 0.25\n");
    }

    @Test
    void labelValuesMayContainAnything() {
        assertThat(written(out -> out.gauge("g", "h").sample(1, "client", "a \"b\" \\ c\nd é 日本", "other", "")))
                .endsWith("g{client=\"a \\\"b\\\" \\\\ c\\nd é 日本\",other=\"\"} 1\n");
    }

    @Test
    void numbersAreAsPrometheusReadsThem() {
        assertThat(written(out -> out.gauge("g", "h")
                        .sample(Long.MIN_VALUE)
                        .sample(Long.MAX_VALUE)
                        .sample(-7L)
                        .sample(3.0)
                        .sample(-0.5)
                        .sample(1e300)
                        .sample(Double.POSITIVE_INFINITY)
                        .sample(Double.NaN)))
                .endsWith(
                        "g -9223372036854775808\ng 9223372036854775807\ng -7\ng 3\ng -0.5\ng 1.0E300\ng +Inf\ng NaN\n");
    }

    @Test
    void whatIsLongerThanTheBufferComesInPieces() {
        StringBuilder expected = new StringBuilder("# HELP g h\n# TYPE g gauge\n");
        String text = written(out -> {
            out.gauge("g", "h");
            for (int i = 0; i < 20_000; i++) {
                out.partition("orders", i, "follower", i % 3, -i);
                expected.append("g{topic=\"orders\",partition=\"").append(i).append("\",follower=\"");
                expected.append(i % 3).append("\"} ").append(-i).append('\n');
            }
        });

        assertThat(text).isEqualTo(expected.toString());
    }

    @Test
    void eachDialectHasItsNameForAMeterAndAShare() {
        String text = written(Dialects.of(List.of("j", "c", "r", "b")), out -> {
            out.meter("bytesin", "h", family -> family.sample(1));
            out.percent("idle", "h", family -> family.sample(1));
        });

        assertThat(text.lines().filter(line -> line.startsWith("# TYPE")))
                .containsExactly(
                        "# TYPE bytesin_total counter",
                        "# TYPE bytesinpersec untyped",
                        "# TYPE bytesinpersec_total counter",
                        "# TYPE bytesinpersec_count untyped",
                        "# TYPE idle_percent gauge",
                        "# TYPE idlepercent gauge");
    }

    @Test
    void labelsInLowerCaseComeBesidesTheUsualOnes() {
        assertThat(written(Dialects.of(List.of("c")), out -> out.gauge("g", "h").sample(1, "clientId", "Replica")))
                .endsWith("g{clientId=\"Replica\",clientid=\"Replica\"} 1\n");
    }

    private static String written(Consumer<SeriesWriter> series) {
        return written(Dialects.usual(), series);
    }

    private static String written(Dialects dialects, Consumer<SeriesWriter> series) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        SeriesWriter writer = new SeriesWriter(dialects, (bytes, length) -> text.write(bytes, 0, length));
        series.accept(writer);
        writer.end();
        return text.toString(StandardCharsets.UTF_8);
    }
}
