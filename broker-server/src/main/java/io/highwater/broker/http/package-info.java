/**
 * The broker's HTTP side: metrics, health, the API that tells of the cluster, the live view, and how brokers ask each other for them.
 *
 * <p>Event loops carry; scrapes are built on a worker, everything else on {@link ViewThread}, and nothing unless somebody asks. Neighbours:
 * {@code metrics} and {@code view} are asked; {@code boot} opens it and says whether the broker is ready.
 */
@NullMarked
package io.highwater.broker.http;

import org.jspecify.annotations.NullMarked;
