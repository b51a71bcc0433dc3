package io.highwater.broker.api.configs;

import io.highwater.broker.config.LiveConfig;
import io.highwater.controlplane.ControlPlane;

/**
 * What the handlers of this package work with.
 *
 * @param config what holds on this node
 * @param controlPlane where images come from and changes go to
 */
public record ConfigsNeeds(LiveConfig config, ControlPlane controlPlane) {}
