/** Placeholder. */
@NullMarked
package io.highwater.replication;

import org.jspecify.annotations.NullMarked;
