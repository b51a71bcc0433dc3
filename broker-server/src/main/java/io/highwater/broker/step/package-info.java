/**
 * Step mode, for trying and learning: followers' fetches are held in front of their leader and let go one by one. Any thread. Neighbours: stands
 * in front of {@code api}'s handlers, is told what to do through {@code view}; {@code boot} builds it where {@code highwater.step.enabled} says so.
 */
@NullMarked
package io.highwater.broker.step;

import org.jspecify.annotations.NullMarked;
