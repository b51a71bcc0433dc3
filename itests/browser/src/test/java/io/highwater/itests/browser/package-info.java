/**
 * The live view as people see it: brokers in the test's JVM, and headless Chromium in front of them. Part of the profile {@code browser}.
 */
@NullMarked
package io.highwater.itests.browser;

import org.jspecify.annotations.NullMarked;
