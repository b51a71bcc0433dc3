package io.highwater.broker.metrics;

import java.util.concurrent.atomic.LongAdder;

/** What is counted of one topic. Whoever counts keeps it, so that no request looks its topic up. Hot; any thread. */
public final class TopicTraffic {
    final LongAdder bytesIn = new LongAdder();
    final LongAdder bytesOut = new LongAdder();
    final LongAdder messagesIn = new LongAdder();
    final LongAdder bytesRejected = new LongAdder();
    final LongAdder produceRequests = new LongAdder();
    final LongAdder failedProduceRequests = new LongAdder();
    final LongAdder fetchRequests = new LongAdder();
    final LongAdder failedFetchRequests = new LongAdder();
    final LongAdder damaged = new LongAdder();
    final LongAdder malformed = new LongAdder();
    final LongAdder keyless = new LongAdder();

    TopicTraffic() {}

    /** Somebody wants to append to a partition. */
    public void produceRequested() {
        produceRequests.increment();
    }

    /** Records were appended to a leader's log, by a client or a coordinator. */
    public void appended(long sizeBytes, long records) {
        bytesIn.add(sizeBytes);
        messagesIn.add(records);
    }

    /** Records were not appended, for a reason that is none of those counted apart. */
    public void produceFailed() {
        failedProduceRequests.increment();
    }

    /** Records were not appended because there were too many bytes. */
    public void tooLarge(long sizeBytes) {
        bytesRejected.add(sizeBytes);
    }

    /** Records were not appended because their checksum was wrong. */
    public void damaged() {
        damaged.increment();
    }

    /** Records were not appended because a batch was not what it should be: offsets, sequence, counts. */
    public void malformed() {
        malformed.increment();
    }

    /** Records were not appended because those of a compacted topic need keys. */
    public void keyless() {
        keyless.increment();
    }

    /** A consumer was given bytes, perhaps none, from one partition. */
    public void fetched(long sizeBytes) {
        fetchRequests.increment();
        bytesOut.add(sizeBytes);
    }

    /** A follower was, which is not traffic of the topic. */
    public void replicated() {
        fetchRequests.increment();
    }

    /** A fetch was refused by one partition. */
    public void fetchFailed() {
        fetchRequests.increment();
        failedFetchRequests.increment();
    }
}
