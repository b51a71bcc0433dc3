package io.highwater.broker.view;

/**
 * How far a partition is committed, as its leader knows.
 *
 * @param topic its topic
 * @param partition its index
 * @param highWatermark exclusive
 */
public record Watermark(String topic, int partition, long highWatermark) {}
