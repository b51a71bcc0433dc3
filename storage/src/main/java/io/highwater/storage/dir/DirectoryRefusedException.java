package io.highwater.storage.dir;

import java.nio.file.Path;

/** A directory cannot be used for logs. The message is one sentence for the person at the console; nothing was changed on disk. */
public final class DirectoryRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason {
        /** Somebody else has it open. */
        LOCKED,
        /** It holds another cluster's data. */
        FOREIGN_CLUSTER,
        /** It holds another node's data. */
        OTHER_NODE,
        /** Its identity cannot be read or makes no sense. */
        BAD_IDENTITY,
        /** It is given twice, or shares its directory id with another. */
        TWICE,
        /** It is not a directory, or cannot be created, written or read. */
        UNUSABLE,
        /** It contains something whose name is no partition's. */
        STRANGE_CONTENT
    }

    private final Reason reason;
    private final transient Path directory;

    DirectoryRefusedException(Reason reason, Path directory, String sentence) {
        super(sentence);
        this.reason = reason;
        this.directory = directory;
    }

    DirectoryRefusedException(Reason reason, Path directory, String sentence, Exception cause) {
        super(sentence, cause);
        this.reason = reason;
        this.directory = directory;
    }

    public Reason reason() {
        return reason;
    }

    public Path directory() {
        return directory;
    }
}
