package io.highwater.storage.dir;

import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A directory that holds, held, or will hold one partition.
 *
 * @param path of the directory
 * @param partition as its name says; of a {@link Kind#DELETED} or {@link Kind#STRAY} one a long topic name may be cut
 * @param kind what its name says about its fate
 */
public record PartitionDirectory(Path path, TopicPartition partition, Kind kind) {
    /** File systems take names up to this many bytes; topic names are ASCII. */
    private static final int NAME_MAX = 255;

    private static final Pattern NAME = Pattern.compile("(\\S+)-(\\d+)");
    private static final Pattern SUFFIXED_NAME = Pattern.compile("(\\S+)-(\\d+)\\.\\S+-(delete|stray|future)");

    /** What becomes of a directory. */
    public enum Kind {
        /** A replica of this broker. */
        LIVE,
        /** Dropped; its files go after {@code file.delete.delay.ms}. */
        DELETED,
        /** Found at a start although no metadata names it; kept for the administrator. */
        STRAY,
        /** Being filled, to replace the replica of another log directory. */
        FUTURE;

        private String suffix() {
            return this == DELETED ? "delete" : name().toLowerCase(Locale.ROOT);
        }
    }

    /** The directory's name if it is a {@link Kind#LIVE} one. */
    public static String liveName(TopicPartition partition) {
        return partition.topic() + "-" + partition.partition();
    }

    /** A fresh name of another kind; the topic is cut so that the name is never too long for a file system. */
    static String freshName(TopicPartition partition, Kind kind) {
        String unique = UUID.randomUUID().toString().replace("-", "");
        String rest = "-" + partition.partition() + "." + unique + "-" + kind.suffix();
        String topic = partition.topic();
        return topic.substring(0, Math.min(topic.length(), NAME_MAX - rest.length())) + rest;
    }

    /** Understands a directory's name; null if it is no partition's. */
    static @Nullable PartitionDirectory parse(Path path) {
        String name = path.getFileName().toString();
        Matcher suffixed = SUFFIXED_NAME.matcher(name);
        if (suffixed.matches()) {
            return parsed(path, suffixed, kindOf(suffixed.group(3)));
        }
        Matcher plain = NAME.matcher(name);
        return plain.matches() ? parsed(path, plain, Kind.LIVE) : null;
    }

    private static @Nullable PartitionDirectory parsed(Path path, Matcher name, Kind kind) {
        try {
            return new PartitionDirectory(
                    path, new TopicPartition(name.group(1), Integer.parseInt(name.group(2))), kind);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static Kind kindOf(String suffix) {
        return switch (suffix) {
            case "delete" -> Kind.DELETED;
            case "stray" -> Kind.STRAY;
            default -> Kind.FUTURE;
        };
    }
}
