/**
 * The broker: where wire, storage, replication, control plane and coordination meet. Start reading at
 * {@link io.highwater.broker.boot.Broker}.
 *
 * <p>Holds no classes itself, only rooms: {@code boot -> net -> api -> partition -> disk}, and {@code config} and {@code metrics}, which
 * all may ask. The arrows are tested.
 */
@NullMarked
package io.highwater.broker;

import org.jspecify.annotations.NullMarked;
