/**
 * On a node with a controller: finds brokers whose process is gone before their session ends, and has them fenced.
 *
 * <p>{@code Suspicions} decides, on events and a time; {@code EarlyFencing} acts, on one event loop of its own. Neighbours: {@code controlplane}, whose
 * controller fences, and {@code peer}, which tries the listeners of brokers; {@code boot} tells it of heartbeats.
 */
@NullMarked
package io.highwater.broker.fencing;

import org.jspecify.annotations.NullMarked;
