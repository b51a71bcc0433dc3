package io.highwater.broker.view;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes one list of the events of several brokers, and says where each is to go on. Pure. */
final class EventMerge {
    private static final Comparator<EventReport> OLDEST_FIRST = Comparator.comparingLong(EventReport::wallMs)
            .thenComparingInt(EventReport::broker)
            .thenComparingLong(EventReport::number);

    private EventMerge() {}

    /**
     * Merges.
     *
     * @param pages by broker
     * @param before where the brokers that did not answer had come to
     * @param forward whether the oldest are wanted, with those after them to be asked for next; otherwise the newest
     */
    static EventsReport merge(Map<Integer, EventPage> pages, EventCursor before, int limit, boolean forward) {
        List<EventReport> all = new ArrayList<>();
        pages.values().forEach(page -> all.addAll(page.events()));
        all.sort(OLDEST_FIRST);
        int surplus = Math.max(0, all.size() - limit);
        List<EventReport> told = forward ? all.subList(0, all.size() - surplus) : all.subList(surplus, all.size());
        Map<Integer, Long> next = new TreeMap<>(before.numbers());
        pages.forEach((broker, page) -> next.put(broker, page.next()));
        if (forward) {
            // Of a broker that was cut short, its first event that is not told is the next.
            for (EventReport left : all.subList(all.size() - surplus, all.size())) {
                next.merge(left.broker(), left.number(), Math::min);
            }
        }
        // A broker that tells as many as it may does not say whether it has others.
        boolean more = surplus > 0
                || pages.values().stream().anyMatch(page -> page.events().size() >= limit);
        return new EventsReport(new EventCursor(next).toString(), more, List.copyOf(told));
    }
}
