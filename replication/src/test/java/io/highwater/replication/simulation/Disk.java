package io.highwater.replication.simulation;

import java.util.Random;

/** What a broker finds when it starts again. */
final class Disk {
    final SimulatedLog log = new SimulatedLog();

    /** The checkpoint, a hint: never above what was known to be committed when it was written. */
    long highWatermark;

    /** The broker epoch of a life that ended in good order, -1 after any other end. */
    long cleanBrokerEpoch = -1;

    void loseUnflushed(Random random) {
        log.loseUnflushed(random);
    }

    void wipe() {
        log.restartAt(0);
        highWatermark = 0;
        cleanBrokerEpoch = -1;
    }
}
