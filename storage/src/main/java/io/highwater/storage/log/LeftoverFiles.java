package io.highwater.storage.log;

import io.highwater.storage.segment.BatchHeader;
import io.highwater.storage.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles what an interrupted deletion, compaction or split has left in a partition's directory: {@code .deleted} goes; what
 * was still being built ({@code .cleaned}) goes, and with it finished files ({@code .swap}) at or above it, for they belong to
 * the same unfinished split; every other {@code .swap} replaces what it covers.
 */
final class LeftoverFiles {
    private static final Logger log = LoggerFactory.getLogger(LeftoverFiles.class);

    /** Of the metadata log, which is not ours. */
    private static final String CHECKPOINT_DELETED = ".checkpoint.deleted";

    private LeftoverFiles() {}

    static void settle(Path directory) throws IOException {
        Set<String> names = names(directory);
        long lowestCleaned = Long.MAX_VALUE;
        for (String name : names) {
            if (name.endsWith(SegmentFiles.CLEANED)) {
                lowestCleaned = Math.min(lowestCleaned, SegmentFiles.baseOffset(name));
            }
        }
        long swapFrom = Long.MAX_VALUE;
        long swapTo = Long.MIN_VALUE;
        for (String name : names) {
            boolean unfinishedSwap = name.endsWith(SegmentFiles.SWAP) && SegmentFiles.baseOffset(name) >= lowestCleaned;
            boolean deleted = name.endsWith(SegmentFiles.DELETED) && !name.endsWith(CHECKPOINT_DELETED);
            if (deleted || unfinishedSwap || name.endsWith(SegmentFiles.CLEANED)) {
                delete(directory, name);
            } else if (name.endsWith(SegmentFiles.LOG + SegmentFiles.SWAP)) {
                swapFrom = Math.min(swapFrom, SegmentFiles.baseOffset(name));
                swapTo = Math.max(swapTo, endOffset(directory.resolve(name), SegmentFiles.baseOffset(name)));
            }
        }
        deleteReplaced(directory, swapFrom, swapTo);
        for (String name : names(directory)) {
            if (name.endsWith(SegmentFiles.SWAP)) {
                log.info("{}: finishing an interrupted swap of {}", directory, name);
                String finished = name.substring(0, name.length() - SegmentFiles.SWAP.length());
                Files.move(directory.resolve(name), directory.resolve(finished), StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    /** Indexes without batches. */
    static void deleteOrphanIndexes(Path directory, Set<String> names, Collection<Long> bases) throws IOException {
        List<String> kinds = List.of(SegmentFiles.OFFSET_INDEX, SegmentFiles.TIME_INDEX, SegmentFiles.TXN_INDEX);
        for (String name : names) {
            long base = SegmentFiles.baseOffset(name);
            if (base >= 0 && !bases.contains(base) && kinds.stream().anyMatch(name::endsWith)) {
                delete(directory, name);
            }
        }
    }

    /** All file names, sorted. */
    static Set<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static void deleteReplaced(Path directory, long from, long to) throws IOException {
        for (String name : names(directory)) {
            long base = SegmentFiles.baseOffset(name);
            if (base >= from && base < to && !name.endsWith(SegmentFiles.SWAP)) {
                delete(directory, name);
            }
        }
    }

    /** Walks over a finished file, header by header. */
    private static long endOffset(Path file, long baseOffset) throws IOException {
        long end = baseOffset;
        ByteBuffer header = ByteBuffer.allocate(BatchHeader.SIZE);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (long position = 0; position + BatchHeader.SIZE <= channel.size(); ) {
                header.clear();
                channel.read(header, position);
                int size = BatchHeader.sizeInBytes(header, 0);
                if (size < 0 || header.hasRemaining()) {
                    break;
                }
                end = BatchHeader.lastOffset(header, 0) + 1;
                position += size;
            }
        }
        return end;
    }

    private static void delete(Path directory, String name) throws IOException {
        log.info("{}: deleting {}, left behind by an interrupted change", directory, name);
        Files.deleteIfExists(directory.resolve(name));
    }
}
