package io.highwater.controlplane;

/**
 * Producer ids that nobody else will get.
 *
 * @param firstId the first
 * @param size how many
 */
public record ProducerIdBlock(long firstId, int size) {}
