package io.highwater.broker.boot;

import java.util.Objects;

/** Which Highwater this is. */
final class Version {
    private Version() {}

    /** As in the jar's manifest; "development" when run from classes. */
    static String own() {
        return Objects.requireNonNullElse(Version.class.getPackage().getImplementationVersion(), "development");
    }
}
