/**
 * A real cluster inside a test's JVM: {@link io.highwater.testkit.HighwaterTestCluster} in plain Java, {@link
 * io.highwater.testkit.HighwaterCluster} for JUnit 5. Brokers listen on free loopback ports, keep their data in a temporary directory, and
 * leave nothing behind.
 *
 * <p>Used from the test's own threads, one at a time. Knows the broker by its front door only.
 */
@NullMarked
package io.highwater.testkit;

import org.jspecify.annotations.NullMarked;
