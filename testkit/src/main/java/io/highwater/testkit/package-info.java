/**
 * A real cluster inside a test's JVM: {@link io.highwater.testkit.HighwaterTestCluster} in plain Java, {@link
 * io.highwater.testkit.HighwaterCluster} for JUnit 5. Brokers listen on free loopback ports, keep their data in a temporary directory, and
 * leave nothing behind.
 *
 * <p>Several brokers call each other over relays, one thread for all of a cluster, so that ways between them can be cut; requests pass by
 * {@link io.highwater.testkit.Requests}, so that they can be held up or refused; what partitions are is read from the brokers' memory. Used from
 * the test's own threads, one at a time. Knows the broker by its front door, and by the seams that {@code boot} has for it.
 */
@NullMarked
package io.highwater.testkit;

import org.jspecify.annotations.NullMarked;
