package io.highwater.broker.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventMergeTest {
    @Test
    void whoReadsForwardMissesNothingAtTheLimit() {
        Map<Integer, EventPage> pages = Map.of(1, page(1, 7, 10, 30, 50), 2, page(2, 3, 20, 40));

        EventsReport first = EventMerge.merge(pages, EventCursor.START, 3, true);

        assertThat(first.events()).extracting(EventReport::wallMs).containsExactly(10L, 20L, 30L);
        assertThat(first.more()).isTrue();
        assertThat(first.next()).as("the first ones that were not told").isEqualTo("1:9,2:4");
    }

    @Test
    void aBrokerThatTellsAsManyAsItMayMayHaveMore() {
        EventsReport full = EventMerge.merge(Map.of(1, page(1, 7, 10, 30)), EventCursor.START, 2, true);
        EventsReport all = EventMerge.merge(Map.of(1, page(1, 7, 10, 30)), EventCursor.START, 3, true);

        assertThat(full.more()).isTrue();
        assertThat(all.more()).isFalse();
    }

    @Test
    void whoAsksForTheNewestGoesOnBehindThem() {
        Map<Integer, EventPage> pages = Map.of(1, page(1, 7, 10, 30, 50), 2, page(2, 3, 20, 40));

        EventsReport newest = EventMerge.merge(pages, EventCursor.START, 2, false);

        assertThat(newest.events()).extracting(EventReport::wallMs).containsExactly(40L, 50L);
        assertThat(newest.next()).isEqualTo("1:10,2:5");
    }

    @Test
    void aBrokerThatDoesNotAnswerIsNotSkipped() {
        EventCursor before = new EventCursor(Map.of(1, 4L, 3, 17L));

        EventsReport report = EventMerge.merge(Map.of(1, page(1, 4)), before, 10, true);

        assertThat(report.next()).isEqualTo("1:4,3:17");
        assertThat(EventCursor.parse(report.next())).isEqualTo(before);
    }

    @Test
    void whatIsNoCursorIsNotTakenForOne() {
        assertThat(EventCursor.parse("1796009517137")).isNull();
        assertThat(EventCursor.parse("1:2,")).isNull();
        assertThat(EventCursor.parse("")).isNull();
        assertThat(EventCursor.parse("1:99999999999999999999")).isNull();
    }

    /** Events numbered from {@code first} on, at these times. */
    private static EventPage page(int broker, long first, long... wallMs) {
        List<EventReport> events = Arrays.stream(wallMs)
                .mapToObj(at -> new EventReport(
                        first + indexOf(wallMs, at), at, broker, "LEADING", "t", 0, 0, "", List.of(), List.of()))
                .toList();
        return new EventPage(first + wallMs.length, events);
    }

    private static int indexOf(long[] all, long one) {
        return Arrays.binarySearch(all, one);
    }
}
