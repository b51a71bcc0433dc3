package io.highwater.broker.metrics;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** Records that clients write and read, by topic and in all. Recording is hot and for any thread. */
public final class TrafficMetrics implements SeriesSource {
    private record Family(String name, String help, Function<Topic, LongAdder> of) {}

    private static final List<Family> FAMILIES = List.of(
            new Family("bytesin", "Bytes of records from producers", topic -> topic.bytesIn),
            new Family("bytesout", "Bytes of records to consumers", topic -> topic.bytesOut),
            new Family("messagesin", "Records from producers", topic -> topic.messagesIn),
            new Family("totalproducerequests", "Appends, one for each partition", topic -> topic.produceRequests),
            new Family("failedproducerequests", "Appends refused", topic -> topic.failedProduceRequests),
            new Family("totalfetchrequests", "Fetches, one for each partition", topic -> topic.fetchRequests),
            new Family("failedfetchrequests", "Fetches refused", topic -> topic.failedFetchRequests));

    private final Map<String, Topic> topics = new ConcurrentHashMap<>();
    /** What topics that are gone had counted: the sum over all topics never falls. */
    private final Topic gone = new Topic();

    /** Starts with nothing counted. */
    public TrafficMetrics() {}

    private static final class Topic {
        private final LongAdder bytesIn = new LongAdder();
        private final LongAdder bytesOut = new LongAdder();
        private final LongAdder messagesIn = new LongAdder();
        private final LongAdder produceRequests = new LongAdder();
        private final LongAdder failedProduceRequests = new LongAdder();
        private final LongAdder fetchRequests = new LongAdder();
        private final LongAdder failedFetchRequests = new LongAdder();
    }

    /** A client's records were appended to one partition. */
    public void produced(String topic, long sizeBytes, long records) {
        Topic here = of(topic);
        here.produceRequests.increment();
        here.bytesIn.add(sizeBytes);
        here.messagesIn.add(records);
    }

    /** A client's records were refused by one partition. */
    public void produceFailed(String topic) {
        of(topic).failedProduceRequests.increment();
    }

    /** A consumer was given bytes, perhaps none, from one partition. */
    public void fetched(String topic, long sizeBytes) {
        Topic here = of(topic);
        here.fetchRequests.increment();
        here.bytesOut.add(sizeBytes);
    }

    /** A consumer's fetch was refused by one partition. */
    public void fetchFailed(String topic) {
        of(topic).failedFetchRequests.increment();
    }

    /** The topic is gone, and with it its series. */
    public void forget(String topic) {
        Topic last = topics.remove(topic);
        if (last != null) {
            FAMILIES.forEach(
                    family -> family.of.apply(gone).add(family.of.apply(last).sum()));
        }
    }

    private Topic of(String topic) {
        Topic known = topics.get(topic);
        return known != null ? known : topics.computeIfAbsent(topic, name -> new Topic());
    }

    @Override
    public void writeTo(SeriesWriter out) {
        for (Family family : FAMILIES) {
            String name = "kafka_server_brokertopicmetrics_" + family.name + "_total";
            out.family(name, "counter", family.help);
            long[] sum = {family.of.apply(gone).sum()};
            topics.forEach((topic, counts) -> {
                long value = family.of.apply(counts).sum();
                sum[0] += value;
                out.sample(name, value, "topic", topic);
            });
            out.sample(name, sum[0]);
        }
    }
}
