/** Placeholder. */
@NullMarked
package io.highwater.testkit;

import org.jspecify.annotations.NullMarked;
