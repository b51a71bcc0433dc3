/**
 * Shows and changes settings: of topics, brokers, loggers, groups and client metrics.
 *
 * <p>What is shown comes from the newest image and this node's configuration and never waits; changes are checked here as far as
 * they concern this broker, and go to the active controller. Any thread. Neighbours: {@code config}, the control plane, {@code
 * api.cluster} for the way to the controller.
 */
@NullMarked
package io.highwater.broker.api.configs;

import org.jspecify.annotations.NullMarked;
