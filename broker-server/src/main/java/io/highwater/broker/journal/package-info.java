/**
 * What happened to this broker's replicas lately, each event once, with its cause and its numbers: the log line, the metric and the live view are
 * renderings of it. Any thread. Neighbours: {@code boot} fills it with what {@code partition} and {@code peer} report; nothing of ours but the
 * values of {@code replication} is known here.
 */
@NullMarked
package io.highwater.broker.journal;

import org.jspecify.annotations.NullMarked;
