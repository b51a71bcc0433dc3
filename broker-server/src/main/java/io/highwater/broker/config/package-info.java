/**
 * What the operator asked for: Kafka's setting names, types, defaults and ranges, read once at start and overlaid with what the
 * cluster changes while the broker runs.
 *
 * <p>Everything here is immutable, or a single volatile reference to something immutable ({@link
 * io.highwater.broker.config.LiveConfig}), so any thread may read it. Neighbours: every room of the broker may ask it; it asks none.
 */
@NullMarked
package io.highwater.broker.config;

import org.jspecify.annotations.NullMarked;
