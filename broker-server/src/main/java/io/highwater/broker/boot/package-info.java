/**
 * Where everything is put together: the command line, the start and the stop of a broker. Start reading at {@link
 * io.highwater.broker.boot.Broker}.
 *
 * <p>Runs on the main thread and on the threads that signals arrive on; nothing here is on a request's way. Knows every other
 * room; no room knows it.
 */
@NullMarked
package io.highwater.broker.boot;

import org.jspecify.annotations.NullMarked;
