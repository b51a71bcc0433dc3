package io.highwater.testkit;

/** Something that goes wrong on purpose, until it is closed; at the latest with its cluster. Any thread. */
public interface Fault extends AutoCloseable {
    /** How many requests it has hit so far. */
    int hits();

    /** Ends it, for requests that come from now on. May be repeated. */
    @Override
    void close();
}
