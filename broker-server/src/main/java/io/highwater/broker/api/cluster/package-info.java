/**
 * What the cluster looks like, and the requests that change it: metadata, topics, partitions, reassignments, the quorum.
 *
 * <p>Reads come from the newest image and never wait. Changes go to the active controller; only creating topics and partitions waits
 * here, until their leaders serve. Any thread. Neighbours: the control plane; {@code config}.
 */
@NullMarked
package io.highwater.broker.api.cluster;

import org.jspecify.annotations.NullMarked;
