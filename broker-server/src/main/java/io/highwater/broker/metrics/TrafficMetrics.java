package io.highwater.broker.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** Records that clients write and read, by topic and in all. Recording is hot and for any thread. */
public final class TrafficMetrics implements SeriesSource {
    private final Map<String, Topic> topics = new ConcurrentHashMap<>();
    private final Topic all = new Topic();

    TrafficMetrics() {}

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
        all.produceRequests.increment();
        all.bytesIn.add(sizeBytes);
        all.messagesIn.add(records);
    }

    /** A client's records were refused by one partition. */
    public void produceFailed(String topic) {
        of(topic).failedProduceRequests.increment();
        all.failedProduceRequests.increment();
    }

    /** A consumer was given bytes, perhaps none, from one partition. */
    public void fetched(String topic, long sizeBytes) {
        Topic here = of(topic);
        here.fetchRequests.increment();
        here.bytesOut.add(sizeBytes);
        all.fetchRequests.increment();
        all.bytesOut.add(sizeBytes);
    }

    /** A consumer's fetch was refused by one partition. */
    public void fetchFailed(String topic) {
        of(topic).failedFetchRequests.increment();
        all.failedFetchRequests.increment();
    }

    /** The topic is gone, and with it its series. */
    public void forget(String topic) {
        topics.remove(topic);
    }

    private Topic of(String topic) {
        Topic known = topics.get(topic);
        return known != null ? known : topics.computeIfAbsent(topic, name -> new Topic());
    }

    @Override
    public void writeTo(SeriesWriter out) {
        write(out, "bytesin", "Bytes of records from producers", topic -> topic.bytesIn);
        write(out, "bytesout", "Bytes of records to consumers", topic -> topic.bytesOut);
        write(out, "messagesin", "Records from producers", topic -> topic.messagesIn);
        write(out, "totalproducerequests", "Appends, one for each partition", topic -> topic.produceRequests);
        write(out, "failedproducerequests", "Appends refused", topic -> topic.failedProduceRequests);
        write(out, "totalfetchrequests", "Fetches, one for each partition", topic -> topic.fetchRequests);
        write(out, "failedfetchrequests", "Fetches refused", topic -> topic.failedFetchRequests);
    }

    private void write(SeriesWriter out, String name, String help, Function<Topic, LongAdder> value) {
        String family = "kafka_server_brokertopicmetrics_" + name + "_total";
        out.family(family, "counter", help).sample(family, value.apply(all).sum());
        topics.forEach((topic, counts) -> out.sample(family, value.apply(counts).sum(), "topic", topic));
    }
}
