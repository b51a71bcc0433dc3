package io.highwater.broker.view;

/**
 * When clients last wrote to a topic without asking for the copies, in milliseconds since 1970; 0 for never since the start.
 *
 * @param topic its name
 * @param noneAtMs with acks=0
 * @param leaderAtMs with acks=1
 */
public record AcksSeen(String topic, long noneAtMs, long leaderAtMs) {}
