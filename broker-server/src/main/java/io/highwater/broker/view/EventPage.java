package io.highwater.broker.view;

import java.util.List;

/**
 * Events of one broker.
 *
 * @param next number of the event to go on with
 * @param events oldest first
 */
public record EventPage(long next, List<EventReport> events) {}
