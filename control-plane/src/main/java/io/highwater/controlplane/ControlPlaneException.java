package io.highwater.controlplane;

import org.jspecify.annotations.Nullable;

/** The control plane cannot do what was asked; the message is one sentence for the operator. */
public final class ControlPlaneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is wrong, for callers that act on it. */
    public enum Reason {
        /** A setting is missing, malformed or contradicts another. */
        BAD_SETTING,
        /** Some directory belongs to another node or another cluster, or only part of the directories is formatted. */
        FOREIGN_DIRECTORY,
        /** A directory that must be formatted is not. */
        NOT_FORMATTED,
        /** A directory or file cannot be read or written. */
        DISK,
        /** The controllers belong to another cluster than this node's directories. */
        FOREIGN_CLUSTER,
        /** Another process with the same node id is registered and its session is still valid. */
        DUPLICATE_BROKER,
        /** The controller refuses the registration for good: a directory id that another broker owns, a missing listener. */
        REGISTRATION_REFUSED,
        /** The cluster runs a feature level that this broker does not know. */
        UNSUPPORTED_FEATURE,
        /** No controller answered within the time that was allowed. */
        TIMED_OUT,
        /** The control plane was closed meanwhile, or is not started yet. */
        NOT_RUNNING
    }

    private final Reason reason;

    ControlPlaneException(Reason reason, String sentence) {
        this(reason, sentence, null);
    }

    ControlPlaneException(Reason reason, String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
        this.reason = reason;
    }

    /** What is wrong. */
    public Reason reason() {
        return reason;
    }
}
