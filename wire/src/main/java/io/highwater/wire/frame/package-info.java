/**
 * Bytes to requests, responses to bytes.
 *
 * <p>Owner thread: the event loop of the connection. A frame is one buffer of exact size; the records in it stay slices of
 * that buffer, and the records in a response stay the leased memory or file region they came as. Neighbours:
 * {@code wire.api} for what is supported; above, the broker's connections.
 */
@NullMarked
package io.highwater.wire.frame;

import org.jspecify.annotations.NullMarked;
