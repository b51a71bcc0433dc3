package io.highwater.broker.partition;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room that the metadata log still finds on a disk that is full. A quorum that cannot write ends its process, and it writes all the
 * time; so a file of zeros holds some room back, and once the disk is full it goes, and the room is the metadata log's alone: records
 * are refused until there is as much again and more. Any thread.
 */
final class Headroom {
    static final String FILE_NAME = ".highwater-headroom";

    /** What is held back; of a disk with little room, half of it. */
    static final int SIZE_BYTES = 8 << 20;

    /** With less than this the disk is full, even if nobody has met its end yet. */
    static final long LEAST_FREE_BYTES = 1 << 20;

    /** Before records are taken again there must be this much besides what is held back. */
    static final long ROOM_AGAIN_BYTES = 4 << 20;

    static final long LOOK_MS = 500;

    private static final Logger LOG = LoggerFactory.getLogger(Headroom.class);

    private final Path directory;
    private final Path file;
    private final UsableSpace space;
    private volatile boolean givenUp;

    /** Held back, or that was. Guarded by this. */
    private int heldBytes;

    /** Asks the disk. */
    interface UsableSpace {
        /** Bytes that can be written. */
        long bytes() throws IOException;
    }

    Headroom(Path directory, UsableSpace space) {
        this.directory = directory;
        this.file = directory.resolve(FILE_NAME);
        this.space = space;
    }

    /** Whether nothing but metadata may be written. Hot. */
    boolean isGivenUp() {
        return givenUp;
    }

    /** The disk is full. */
    synchronized void giveUp() {
        if (givenUp) {
            return;
        }
        givenUp = true;
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("cannot give room to the metadata log: {}", e.toString());
        }
        LOG.error(
                "Log directory {} is full: no records are taken until {} bytes are free",
                directory,
                heldBytes + ROOM_AGAIN_BYTES);
    }

    /**
     * Looks at the disk; now and then.
     *
     * @throws IOException if it cannot be asked, or what is to be held back cannot be written
     */
    synchronized void look() throws IOException {
        long free = space.bytes();
        if (givenUp) {
            if (free >= heldBytes + ROOM_AGAIN_BYTES) {
                hold(free);
                givenUp = false;
                LOG.info("Log directory {} has room again", directory);
            }
        } else if (free < LEAST_FREE_BYTES) {
            giveUp();
        } else if (heldBytes == 0) {
            hold(free);
        }
    }

    /** The process ends in order: it leaves no file behind that is none of Kafka's. */
    synchronized void end() throws IOException {
        Files.deleteIfExists(file);
    }

    private void hold(long free) throws IOException {
        int wanted = (int) Math.min(SIZE_BYTES, free / 2);
        ByteBuffer zeros = ByteBuffer.allocate(1 << 16);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.truncate(wanted); // of a process that was killed
            for (int at = 0; at < wanted; ) {
                zeros.clear().limit(Math.min(zeros.capacity(), wanted - at));
                at += channel.write(zeros, at);
            }
        }
        heldBytes = wanted;
    }
}
