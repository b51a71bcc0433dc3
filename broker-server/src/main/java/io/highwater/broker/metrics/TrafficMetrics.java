package io.highwater.broker.metrics;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** Records that clients write and read, by topic and in all, and records between brokers. Recording is hot and for any thread. */
public final class TrafficMetrics implements SeriesSource {
    private static final String STEM = "kafka_server_brokertopicmetrics_";

    private record Family(String name, String help, Function<TopicTraffic, LongAdder> of) {}

    private static final List<Family> FAMILIES = List.of(
            new Family("bytesin", "Bytes of records appended by producers and coordinators", topic -> topic.bytesIn),
            new Family("bytesout", "Bytes of records to consumers", topic -> topic.bytesOut),
            new Family("messagesin", "Records appended by producers and coordinators", topic -> topic.messagesIn),
            new Family("bytesrejected", "Bytes of batches larger than allowed", topic -> topic.bytesRejected),
            new Family("totalproducerequests", "Appends, one for each partition", topic -> topic.produceRequests),
            new Family("failedproducerequests", "Appends refused", topic -> topic.failedProduceRequests),
            new Family(
                    "totalfetchrequests",
                    "Fetches of consumers and followers, one for each partition",
                    topic -> topic.fetchRequests),
            new Family("failedfetchrequests", "Fetches refused", topic -> topic.failedFetchRequests),
            new Family("invalidmessagecrcrecords", "Batches with a wrong checksum", topic -> topic.damaged),
            new Family(
                    "invalidoffsetorsequencerecords",
                    "Batches with wrong offsets, sequences or counts",
                    topic -> topic.malformed),
            new Family(
                    "nokeycompactedtopicrecords",
                    "Batches for compacted topics with records without a key",
                    topic -> topic.keyless));

    private final Map<String, TopicTraffic> topics = new ConcurrentHashMap<>();

    /** What topics that are gone had counted: the sum over all topics never falls. Its lock is held while a topic moves here, and while it is added up. */
    private final TopicTraffic gone = new TopicTraffic();

    private final LongAdder replicationIn = new LongAdder();
    private final LongAdder replicationOut = new LongAdder();
    private final LongAdder reassignmentIn = new LongAdder();
    private final LongAdder reassignmentOut = new LongAdder();

    /** Starts with nothing counted. */
    public TrafficMetrics() {}

    /** Where the traffic of a topic is counted, to be kept. */
    public TopicTraffic topic(String name) {
        return topics.computeIfAbsent(name, absent -> new TopicTraffic());
    }

    /** The topic is gone, and with it its series. */
    public void forget(String topic) {
        synchronized (gone) {
            TopicTraffic last = topics.remove(topic);
            if (last != null) {
                FAMILIES.forEach(family ->
                        family.of.apply(gone).add(family.of.apply(last).sum()));
            }
        }
    }

    /**
     * Records came from a leader and were appended.
     *
     * @param added whether a reassignment adds this replica
     */
    public void replicatedIn(long sizeBytes, boolean added) {
        replicationIn.add(sizeBytes);
        if (added) {
            reassignmentIn.add(sizeBytes);
        }
    }

    /**
     * Records were given to a follower.
     *
     * @param added whether a reassignment adds that replica
     */
    public void replicatedOut(long sizeBytes, boolean added) {
        replicationOut.add(sizeBytes);
        if (added) {
            reassignmentOut.add(sizeBytes);
        }
    }

    @Override
    public void writeTo(SeriesWriter out) {
        for (Family family : FAMILIES) {
            out.meter(STEM + family.name, family.help, named -> write(named, family));
        }
        total(out, "replicationbytesin", "Bytes of records appended as a follower", replicationIn.sum());
        total(out, "replicationbytesout", "Bytes of records given to followers", replicationOut.sum());
        total(out, "reassignmentbytesin", "Of those, for replicas being added here", reassignmentIn.sum());
        total(out, "reassignmentbytesout", "Of those, to replicas being added elsewhere", reassignmentOut.sum());
        total(out, "producemessageconversions", "Always 0: the only format taken is the one that is stored", 0);
        total(out, "fetchmessageconversions", "Always 0: records are sent as they are stored", 0);
        total(out, "invalidmagicnumberrecords", "Always 0: other formats are counted as invalid batches", 0);
    }

    private void write(SeriesWriter out, Family family) {
        topics.forEach((topic, counts) -> out.sample(family.of.apply(counts).sum(), "topic", topic));
        out.sample(sum(family));
    }

    private long sum(Family family) {
        synchronized (gone) {
            long sum = family.of.apply(gone).sum();
            for (TopicTraffic topic : topics.values()) {
                sum += family.of.apply(topic).sum();
            }
            return sum;
        }
    }

    private static void total(SeriesWriter out, String name, String help, long value) {
        out.meter(STEM + name, help, family -> family.sample(value));
    }
}
