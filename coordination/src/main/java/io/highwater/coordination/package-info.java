/** Placeholder. */
@NullMarked
package io.highwater.coordination;

import org.jspecify.annotations.NullMarked;
