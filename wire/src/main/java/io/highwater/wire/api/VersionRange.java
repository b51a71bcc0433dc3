package io.highwater.wire.api;

/**
 * The versions of one API that a listener deals in.
 *
 * @param advertisedMin the lowest version named in ApiVersions, inclusive; may lie below {@code min} where an old client
 *     insists on seeing it
 * @param min the lowest version answered, inclusive
 * @param max the highest version answered, inclusive
 */
public record VersionRange(short advertisedMin, short min, short max) {
    /** Refuses a range that is empty or reaches below what it advertises. */
    public VersionRange {
        if (advertisedMin < 0 || advertisedMin > min || min > max) {
            throw new IllegalArgumentException("versions " + advertisedMin + ", " + min + " to " + max);
        }
    }

    /** Whether this version is answered. */
    public boolean contains(short version) {
        return version >= min && version <= max;
    }
}
