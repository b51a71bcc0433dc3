/** Placeholder. */
@NullMarked
package io.highwater.storage;

import org.jspecify.annotations.NullMarked;
