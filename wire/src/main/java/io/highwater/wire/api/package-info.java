/**
 * Which APIs and versions are answered on which listener: the one list.
 *
 * <p>Immutable, so any thread may ask. Neighbours: {@code wire.frame} asks before it parses a body, the broker's router
 * before it advertises.
 */
@NullMarked
package io.highwater.wire.api;

import org.jspecify.annotations.NullMarked;
