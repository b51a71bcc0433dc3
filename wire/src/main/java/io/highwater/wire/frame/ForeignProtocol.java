package io.highwater.wire.frame;

/** Guesses from a nonsensical frame length what the client believes it is talking to. */
final class ForeignProtocol {
    private static final int TLS_HANDSHAKE = 0x1603;
    private static final int GET = ascii("GET ");
    private static final int POST = ascii("POST");
    private static final int HEAD = ascii("HEAD");

    private ForeignProtocol() {}

    /** Words to append to the complaint; empty if nothing is recognised. */
    static String hint(int length) {
        if (length >>> Short.SIZE == TLS_HANDSHAKE) {
            return " (the bytes are a TLS handshake, and this listener is not encrypted)";
        }
        if (length == GET || length == POST || length == HEAD) {
            return " (the bytes are an HTTP request)";
        }
        return "";
    }

    private static int ascii(String word) {
        int value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = (value << Byte.SIZE) | word.charAt(i);
        }
        return value;
    }
}
