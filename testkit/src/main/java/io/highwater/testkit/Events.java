package io.highwater.testkit;

import io.highwater.broker.partition.PartitionEvents;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What has happened in a cluster of late: to its partitions, and by the test. Any thread. */
final class Events {
    /** More are forgotten, the oldest first. */
    static final int KEPT = 2_000;

    /** As many are told of a failure. */
    static final int TOLD = 50;

    private final long startNanos = System.nanoTime();
    private final Deque<Event> last = new ArrayDeque<>();

    /** @param partition whose it is; null for what concerns all */
    private record Event(@Nullable TopicPartition partition, String line) {}

    /** @param broker whom it concerns */
    void note(int broker, String what) {
        note(broker, null, what);
    }

    private synchronized void note(int broker, @Nullable TopicPartition partition, String what) {
        if (last.size() == KEPT) {
            last.poll();
        }
        long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        last.add(new Event(partition, String.format(Locale.ROOT, "%,9d ms  broker %d  %s", ms, broker, what)));
    }

    /** The oldest first. */
    synchronized List<String> last() {
        return last.stream().map(Event::line).toList();
    }

    /** The last of those that concern that partition, or all, as a paragraph. */
    synchronized String about(TopicPartition partition) {
        List<String> lines = last.stream()
                .filter(event -> event.partition == null || event.partition.equals(partition))
                .map(Event::line)
                .toList();
        return paragraph(lines);
    }

    /** Notes all that {@code hearer} hears, whatever there may be to hear. */
    PartitionEvents noting(int broker, PartitionEvents hearer) {
        return (PartitionEvents) Proxy.newProxyInstance(
                PartitionEvents.class.getClassLoader(),
                new Class<?>[] {PartitionEvents.class},
                (proxy, method, arguments) -> {
                    if (arguments != null && method.getDeclaringClass() == PartitionEvents.class) {
                        note(
                                broker,
                                arguments[0] instanceof TopicPartition partition ? partition : null,
                                sentence(method, arguments));
                    }
                    return call(hearer, method, arguments);
                });
    }

    private static Object call(PartitionEvents hearer, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(hearer, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /** As "orders-0 leading 3, 10, 10". */
    private static String sentence(Method method, Object[] arguments) {
        return arguments[0]
                + " "
                + method.getName().replaceFirst("^on", "").toLowerCase(Locale.ROOT)
                + Arrays.stream(arguments).skip(1).map(String::valueOf).collect(Collectors.joining(", ", " ", ""));
    }

    @Override
    public String toString() {
        return paragraph(last());
    }

    private static String paragraph(List<String> lines) {
        return lines.isEmpty()
                ? "nothing has happened"
                : "the last events:\n  "
                        + String.join("\n  ", lines.subList(Math.max(0, lines.size() - TOLD), lines.size()));
    }
}
