package io.highwater.broker.boot;

/** The broker cannot start, for a reason that lies with its operator. The message is one sentence; nothing was changed on disk. */
public final class StartRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartRefusedException(String sentence) {
        super(sentence);
    }

    StartRefusedException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
