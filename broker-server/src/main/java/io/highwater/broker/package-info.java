/** Placeholder. */
@NullMarked
package io.highwater.broker;

import org.jspecify.annotations.NullMarked;
