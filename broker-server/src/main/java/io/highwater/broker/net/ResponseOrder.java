package io.highwater.broker.net;

import io.highwater.wire.frame.LeasedRecords;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Answers leave in the order their requests came: the line of one connection. An answer that is ready early waits here, holding
 * its leases; other connections do not notice. Belongs to the connection's event loop.
 */
final class ResponseOrder {
    private final ArrayDeque<Exchange> line = new ArrayDeque<>();

    /** A request has come in. */
    void add(Exchange exchange) {
        line.add(exchange);
    }

    /** Takes the oldest exchange out if its answer is known; null if there is none whose turn it is. */
    @Nullable
    Exchange pollReady() {
        Exchange oldest = line.peek();
        return oldest != null && oldest.isDone() ? line.poll() : null;
    }

    /** Gives up all answers that are ready and still in line. Those to come find nobody waiting. */
    void abandon() {
        for (Exchange exchange : line) {
            if (exchange.isDone()) {
                LeasedRecords.releaseAll(exchange.answer());
            }
        }
        line.clear();
    }

    /** Requests that have come in and whose turn has not come. */
    int size() {
        return line.size();
    }
}
