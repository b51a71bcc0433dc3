package io.highwater.broker.http;

/** A request that is answered with one sentence. */
final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String sentence;

    BadRequestException(int status, String sentence) {
        super(sentence, null, false, false);
        this.status = status;
        this.sentence = sentence;
    }

    int status() {
        return status;
    }

    String sentence() {
        return sentence;
    }
}
