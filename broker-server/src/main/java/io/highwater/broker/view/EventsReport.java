package io.highwater.broker.view;

import java.util.List;

/**
 * Events of all brokers that answered.
 *
 * @param next where to go on, to be given as {@code since}: a number for each broker, as {@code 1:17,2:4}
 * @param more whether there were more than the limit, or may have been: a broker tells no more than that itself
 * @param events oldest first, by the brokers' clocks
 */
public record EventsReport(String next, boolean more, List<EventReport> events) {}
