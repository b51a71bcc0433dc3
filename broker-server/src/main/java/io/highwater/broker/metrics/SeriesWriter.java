package io.highwater.broker.metrics;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes series in Prometheus' text format 0.0.4, family by family, into one buffer that is handed on whenever it is full: however many there
 * are, writing them leaves hardly any garbage. Not thread-safe; one for each scrape. Hot, in that a broker may have half a million series.
 */
public final class SeriesWriter {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int DIGITS_OF_LONG = 20;
    private static final double WHOLE_BELOW = 1e15;

    private final Dialects dialects;
    private final Sink sink;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final byte[] digits = new byte[DIGITS_OF_LONG];
    private int used;
    private String family = "";

    /** Takes the text piece by piece. */
    @FunctionalInterface
    public interface Sink {
        /** The next {@code length} bytes, which are overwritten after this returns. What it throws ends the scrape. */
        void take(byte[] bytes, int length);
    }

    SeriesWriter(Dialects dialects, Sink sink) {
        this.dialects = dialects;
        this.sink = sink;
    }

    /** Which names are wanted. */
    public Dialects dialects() {
        return dialects;
    }

    /** Starts a family; its samples follow. */
    public SeriesWriter family(String name, String type, String help) {
        family = name;
        ascii("# HELP ").ascii(name).put(' ').text(help, false).put('\n');
        ascii("# TYPE ").ascii(name).put(' ').ascii(type).put('\n');
        return this;
    }

    /** Starts a family of gauges; of no type if the name has an ending that Prometheus keeps for histograms and summaries, as some of Kafka's have. */
    public SeriesWriter gauge(String name, String help) {
        boolean reserved = name.endsWith("_count") || name.endsWith("_sum") || name.endsWith("_bucket");
        return family(name, reserved ? "untyped" : "gauge", help);
    }

    /** Starts a family of counters; {@code name} ends in {@code _total}. */
    public SeriesWriter counter(String name, String help) {
        return family(name, "counter", help);
    }

    /**
     * One of Kafka's meters, whose counter has another name in each dialect.
     *
     * @param stem without what the dialects put behind it: {@code kafka_server_brokertopicmetrics_bytesin}
     * @param samples writes all samples of the family; called once for each name
     */
    public void meter(String stem, String help, Consumer<SeriesWriter> samples) {
        dialects.meter(stem, (name, type) -> {
            family(name, type, help);
            samples.accept(this);
        });
    }

    /** As {@link #meter}, for a share between 0 and 1 that Kafka calls a percentage. */
    public void percent(String stem, String help, Consumer<SeriesWriter> samples) {
        dialects.percent(stem, name -> {
            gauge(name, help);
            samples.accept(this);
        });
    }

    /**
     * Writes one sample of the family.
     *
     * @param labels name, value, name, value and so on; values may contain anything
     */
    public SeriesWriter sample(long value, String... labels) {
        return labelled("", labels).number(value);
    }

    /** The same for a value that need not be whole. */
    public SeriesWriter sample(double value, String... labels) {
        return labelled("", labels).number(value);
    }

    /** The same with something behind the family's name, such as {@code _count}. */
    public SeriesWriter part(String suffix, long value, String... labels) {
        return labelled(suffix, labels).number(value);
    }

    /** The same for a value that need not be whole. */
    public SeriesWriter part(String suffix, double value, String... labels) {
        return labelled(suffix, labels).number(value);
    }

    /** The same for a replica, without garbage. */
    public SeriesWriter partition(String topic, int partition, long value) {
        return partitionLabels(topic, partition).ascii("\"} ").number(value);
    }

    /** The same with one more label that is a number. */
    public SeriesWriter partition(String topic, int partition, String label, int labelValue, long value) {
        return partitionLabels(topic, partition, label, labelValue).number(value);
    }

    /** The same for a value that need not be whole. */
    public SeriesWriter partition(String topic, int partition, String label, int labelValue, double value) {
        return partitionLabels(topic, partition, label, labelValue).number(value);
    }

    /** What another writer has written. */
    SeriesWriter verbatim(byte[] text) {
        for (int from = 0; from < text.length; ) {
            int length = Math.min(room(), text.length - from);
            System.arraycopy(text, from, buffer, used, length);
            used += length;
            from += length;
        }
        return this;
    }

    /** Hands on what is left. */
    void end() {
        if (used > 0) {
            sink.take(buffer, used);
            used = 0;
        }
    }

    private SeriesWriter partitionLabels(String topic, int partition) {
        return ascii(family)
                .ascii("{topic=\"")
                .text(topic, true)
                .ascii("\",partition=\"")
                .decimal(partition);
    }

    private SeriesWriter partitionLabels(String topic, int partition, String label, int labelValue) {
        return partitionLabels(topic, partition)
                .ascii("\",")
                .ascii(label)
                .ascii("=\"")
                .decimal(labelValue)
                .ascii("\"} ");
    }

    private SeriesWriter labelled(String suffix, String... labels) {
        ascii(family).ascii(suffix);
        for (int i = 0; i < labels.length; i += 2) {
            put(i == 0 ? '{' : ',');
            List<String> names = dialects.labelNames(labels[i]);
            for (int j = 0; j < names.size(); j++) { // for each of very many series: no iterator
                String name = names.get(j);
                put(',', !name.equals(labels[i]))
                        .ascii(name)
                        .ascii("=\"")
                        .text(labels[i + 1], true)
                        .put('"');
            }
        }
        return put('}', labels.length > 0).put(' ');
    }

    private SeriesWriter number(long value) {
        return decimal(value).put('\n');
    }

    private SeriesWriter number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < WHOLE_BELOW) {
            return number((long) value);
        }
        return ascii(Double.isInfinite(value) ? (value > 0 ? "+Inf" : "-Inf") : Double.toString(value))
                .put('\n');
    }

    private SeriesWriter decimal(long value) {
        if (value == Long.MIN_VALUE) {
            return ascii(Long.toString(value));
        }
        put('-', value < 0);
        long rest = Math.abs(value);
        int at = digits.length;
        do {
            digits[--at] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        int length = digits.length - at;
        if (room() < length) {
            end();
        }
        System.arraycopy(digits, at, buffer, used, length);
        used += length;
        return this;
    }

    private SeriesWriter ascii(String value) {
        for (int i = 0; i < value.length(); i++) {
            put(value.charAt(i));
        }
        return this;
    }

    /** @param quoted whether it stands between quotes */
    private SeriesWriter text(String value, boolean quoted) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= 0x80) {
                for (byte each : value.substring(i).getBytes(StandardCharsets.UTF_8)) {
                    escaped(each, quoted);
                }
                return this;
            }
            escaped((byte) c, quoted);
        }
        return this;
    }

    private void escaped(byte c, boolean quoted) {
        if (c == '\\') {
            ascii("\\\\");
        } else if (c == '\n') {
            ascii("\\n");
        } else if (c == '"' && quoted) {
            ascii("\\\"");
        } else {
            put((char) (c & 0xff));
        }
    }

    private SeriesWriter put(char c, boolean wanted) {
        return wanted ? put(c) : this;
    }

    private SeriesWriter put(char c) {
        if (used == buffer.length) {
            end();
        }
        buffer[used++] = (byte) c;
        return this;
    }

    /** Bytes that fit into the buffer, at least one. */
    private int room() {
        if (used == buffer.length) {
            end();
        }
        return buffer.length - used;
    }
}
