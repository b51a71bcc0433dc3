package io.highwater.broker.api.cluster;

import io.highwater.broker.config.LiveConfig;
import io.highwater.controlplane.ControlPlane;

/**
 * What the handlers of this package work with.
 *
 * @param clusterId the cluster this node belongs to
 * @param config what holds on this node
 * @param controlPlane where images come from and changes go to
 * @param leaders what new topics wait for
 * @param delays how they wait
 */
public record ClusterNeeds(
        String clusterId, LiveConfig config, ControlPlane controlPlane, LeadersServing leaders, Delays delays) {}
