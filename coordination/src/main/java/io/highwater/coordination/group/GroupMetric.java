package io.highwater.coordination.group;

import java.util.Map;

/**
 * One number the coordinator keeps about itself, at the moment of asking.
 *
 * @param name Kafka's name within the group {@code group-coordinator-metrics}, for example {@code offset-commit-rate}
 * @param tags Kafka's tags, for example {@code protocol}
 */
public record GroupMetric(String name, Map<String, String> tags, double value) {}
