/**
 * Frames and Kafka messages on Netty buffers, without copying records.
 *
 * <p>Two rooms: {@code frame} turns bytes into requests and responses into bytes, {@code api} says which APIs and versions
 * this broker answers. Everything here runs on the event loop of the connection it serves and keeps no state beyond it.
 * Neighbours: kafka-clients for the message classes, Netty for the buffers; nothing else of ours.
 */
@NullMarked
package io.highwater.wire;

import org.jspecify.annotations.NullMarked;
