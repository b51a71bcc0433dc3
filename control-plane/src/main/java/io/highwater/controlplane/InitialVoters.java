package io.highwater.controlplane;

/**
 * Who votes first in a quorum without {@code controller.quorum.voters}, as the format command is told.
 *
 * @param kind how the answer was given
 * @param list for {@link Kind#LISTED}: {@code id@host:port:directoryId}, separated by commas, the same on every node
 */
public record InitialVoters(Kind kind, String list) {
    /** How the first voters were named. */
    public enum Kind {
        /** This controller alone. */
        STANDALONE,
        /** Those listed. */
        LISTED,
        /** Nobody here: the node joins a quorum that exists. */
        JOINING
    }

    /** This controller alone. */
    public static InitialVoters standalone() {
        return new InitialVoters(Kind.STANDALONE, "");
    }

    /** Those of {@code list}: {@code id@host:port:directoryId}, separated by commas. */
    public static InitialVoters listed(String list) {
        return new InitialVoters(Kind.LISTED, list);
    }

    /** Nobody here: the node joins a quorum that exists. */
    public static InitialVoters joining() {
        return new InitialVoters(Kind.JOINING, "");
    }
}
