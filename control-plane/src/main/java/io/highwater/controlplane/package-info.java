/** Placeholder. */
@NullMarked
package io.highwater.controlplane;

import org.jspecify.annotations.NullMarked;
