package io.highwater.storage.log;

/** Who asks for an append; it decides which rules hold. */
public enum AppendOrigin {
    /** A producer, from outside: every rule holds. */
    CLIENT,
    /** A coordinator of this broker, writing to an internal topic: trusted with control batches and sequences. */
    COORDINATOR
}
