/** Placeholder. */
@NullMarked
package io.highwater.wire;

import org.jspecify.annotations.NullMarked;
