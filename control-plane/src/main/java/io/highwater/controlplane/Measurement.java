package io.highwater.controlplane;

import java.util.Map;

/**
 * One value that Kafka's own library measures in here, by the name that jmx_exporter's rules give it.
 *
 * @param name of the family, without what dialects put behind the counter of a meter: {@code kafka_server_raftmetrics_current_epoch}
 * @param kind what it is
 * @param part what a summary has behind the name of this sample: nothing, {@code _sum} or {@code _count}
 * @param labels by name
 * @param value at the moment; NaN if there is none
 * @param help one sentence
 */
public record Measurement(String name, Kind kind, String part, Map<String, String> labels, double value, String help) {
    /** What it is. */
    public enum Kind {
        /** Goes up and down. */
        GAUGE,
        /** Only goes up; the name ends in {@code _total}. */
        COUNTER,
        /** Only goes up, and its name differs by dialect. */
        METER,
        /** Quantiles with sum and count. */
        SUMMARY
    }

    static Measurement of(String name, Kind kind, Map<String, String> labels, double value, String help) {
        return new Measurement(name, kind, "", labels, value, help);
    }
}
