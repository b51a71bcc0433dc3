/**
 * What people are shown of the cluster: every broker knows its own part, any broker asks the others for theirs and makes one answer of all.
 * Decides and merges, without Vert.x and without a thread of its own; nothing is computed unless somebody asks.
 *
 * <p>Neighbours: reads {@code partition}, {@code journal}, the cluster image and the groups; {@code http} carries questions and answers;
 * {@code boot} builds it.
 */
@NullMarked
package io.highwater.broker.view;

import org.jspecify.annotations.NullMarked;
