/**
 * What the broker counts and measures: name, unit and help of every series in one place, one class for each room.
 *
 * <p>Recording is for any thread and cheap enough for the hot path; reading happens when somebody scrapes. The only package that
 * knows Prometheus' library. Neighbours: all rooms record here, {@code http} reads; nothing of ours is called from here.
 */
@NullMarked
package io.highwater.broker.metrics;

import org.jspecify.annotations.NullMarked;
