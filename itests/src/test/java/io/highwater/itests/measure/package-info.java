/**
 * How Highwater scales: each test prints one line of a table and holds it to a bound. {@code mvn verify -Pmeasure -pl itests -am}; takes minutes.
 */
@NullMarked
package io.highwater.itests.measure;

import org.jspecify.annotations.NullMarked;
