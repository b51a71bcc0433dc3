/**
 * Three brokers in processes of their own under load and bad weather, and a checker over everything that was acknowledged and seen.
 */
@NullMarked
package io.highwater.itests.soak;

import org.jspecify.annotations.NullMarked;
