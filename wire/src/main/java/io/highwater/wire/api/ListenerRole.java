package io.highwater.wire.api;

/** What a listener is for; each role has its own set of APIs. */
public enum ListenerRole {
    /** Clients and other brokers. */
    BROKER,
    /** Members of the metadata quorum, and brokers talking to their controller. */
    CONTROLLER
}
