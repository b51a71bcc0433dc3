package io.highwater.broker.view;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where somebody who reads events has come to: the number of the next one of each broker. Written {@code 1:17,2:4}.
 *
 * @param numbers by broker; one that is missing begins with its oldest event
 */
public record EventCursor(Map<Integer, Long> numbers) {
    /** Nothing read yet. */
    public static final EventCursor START = new EventCursor(Map.of());

    public EventCursor {
        numbers = Collections.unmodifiableMap(new TreeMap<>(numbers));
    }

    /** Reads what {@link #toString} has written; null if it is something else. */
    public static @Nullable EventCursor parse(String text) {
        Map<Integer, Long> numbers = new TreeMap<>();
        for (String part : text.split(",", -1)) {
            if (!part.matches("\\d{1,9}:\\d{1,18}")) {
                return null;
            }
            int colon = part.indexOf(':');
            numbers.put(Integer.valueOf(part.substring(0, colon)), Long.valueOf(part.substring(colon + 1)));
        }
        return new EventCursor(numbers);
    }

    long number(int broker) {
        return numbers.getOrDefault(broker, 0L);
    }

    @Override
    public String toString() {
        return numbers.entrySet().stream()
                .map(entry -> entry.getKey() + ":" + entry.getValue())
                .collect(Collectors.joining(","));
    }
}
