package io.highwater.broker.metrics;

/**
 * Series written as text straight from the state they describe. For series that come in large numbers or are recorded on the
 * hot path; the rest are ordinary meters.
 */
@FunctionalInterface
public interface SeriesSource {
    /** Writes the current values. Called at each scrape, one at a time, never on an event loop that must not wait. */
    void writeTo(SeriesWriter out);
}
