package io.highwater.broker.metrics;

/** Writes series in Prometheus' text format 0.0.4. Not thread-safe; one for each scrape. */
public final class SeriesWriter {
    private final StringBuilder out;

    SeriesWriter(StringBuilder out) {
        this.out = out;
    }

    /** Starts a family; its samples follow. */
    public SeriesWriter family(String name, String type, String help) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        return this;
    }

    /**
     * Writes one sample.
     *
     * @param labels name, value, name, value and so on; values may contain anything
     */
    public SeriesWriter sample(String name, long value, String... labels) {
        series(name, labels);
        out.append(value).append('\n');
        return this;
    }

    /** The same for a value that need not be whole. */
    public SeriesWriter sample(String name, double value, String... labels) {
        series(name, labels);
        out.append(value).append('\n');
        return this;
    }

    private void series(String name, String... labels) {
        out.append(name);
        for (int i = 0; i < labels.length; i += 2) {
            out.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
            escape(labels[i + 1]);
            out.append('"');
        }
        if (labels.length > 0) {
            out.append('}');
        }
        out.append(' ');
    }

    private void escape(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '\\' -> out.append("\\\\");
                case '"' -> out.append("\\\"");
                case '\n' -> out.append("\\n");
                default -> out.append(c);
            }
        }
    }
}
