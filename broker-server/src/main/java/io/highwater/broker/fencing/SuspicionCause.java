package io.highwater.broker.fencing;

/** Why a broker is looked at. */
enum SuspicionCause {
    /** The connection that its last heartbeat came on is gone. */
    CONNECTION_ENDED("its connection ended %d ms ago"),

    /** No heartbeat when one was due. */
    SILENT("its last heartbeat came %d ms ago"),

    /** This controller has just become the active one and has not heard of it yet. */
    TOOK_OVER("it has not called the controller that took over %d ms ago");

    private final String sentence;

    SuspicionCause(String sentence) {
        this.sentence = sentence;
    }

    /** As the middle of a sentence. */
    String sentence(long ageMs) {
        return sentence.formatted(ageMs);
    }
}
