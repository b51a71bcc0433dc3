package io.highwater.broker.partition;

import org.apache.kafka.common.protocol.Errors;

/** A request that is answered when an offset of its partition (a watermark) has reached some value, or its time is over. */
abstract class AwaitedOffset extends Deadlines.Deadline {
    /** The watermark has to be at least this. */
    final long requiredOffset;

    AwaitedOffset(long requiredOffset) {
        this.requiredOffset = requiredOffset;
    }

    /** Answers; called once, by whoever took it out of its {@link OffsetQueue}, without the partition's lock. */
    abstract void complete(Errors error);
}
