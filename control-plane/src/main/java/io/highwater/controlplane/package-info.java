/**
 * The node's side of the cluster's metadata: the KRaft quorum, its controller, the images they publish and this broker's
 * registration, all through Kafka's own library behind {@link io.highwater.controlplane.ControlPlane}.
 *
 * <p>Owner threads: the library's own (raft driver, metadata loader, controller queue) and one sender per channel to the
 * active controller. None of them is an event loop and none may be blocked by a callback. Neighbours: {@code broker.boot}
 * builds it, {@code broker.net} hands it the requests of the CONTROLLER listener, {@code broker.api} and
 * {@code broker.partition} read its images and ask the controller through it. Nothing of Kafka's server modules leaves it.
 */
@NullMarked
package io.highwater.controlplane;

import org.jspecify.annotations.NullMarked;
