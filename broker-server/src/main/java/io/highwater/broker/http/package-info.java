/**
 * The broker's HTTP side: metrics and health.
 *
 * <p>Runs on event loops; scrapes are built on a worker. Neighbours: {@code metrics} is read; {@code boot} opens it and says
 * whether the broker is ready.
 */
@NullMarked
package io.highwater.broker.http;

import org.jspecify.annotations.NullMarked;
