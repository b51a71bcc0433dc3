package io.highwater.storage.log;

import io.highwater.storage.dir.DurableFiles;
import io.highwater.storage.segment.BatchHeader;
import io.highwater.storage.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes several segments of a closed one whose offsets are too far from its base. As Kafka does it: the parts are built as {@code .cleaned},
 * become {@code .swap} from the last to the first, and take its place by what {@link LeftoverFiles} does. Whenever it is interrupted, the next
 * start goes back to before or on to the end.
 */
final class SegmentSplit {
    private final Path directory;

    /** A part: its base offset and where in the file it ends (exclusive). */
    private record Part(long baseOffset, long start, long end) {}

    SegmentSplit(Path directory) {
        this.directory = directory;
    }

    void split(long baseOffset) throws IOException {
        List<Part> parts;
        try (FileChannel whole =
                FileChannel.open(SegmentFiles.file(directory, baseOffset, SegmentFiles.LOG), StandardOpenOption.READ)) {
            parts = parts(whole, baseOffset);
            for (Part part : parts) {
                copy(whole, part);
            }
        }
        for (int i = parts.size() - 1; i >= 0; i--) {
            Files.move(
                    file(parts.get(i), SegmentFiles.CLEANED),
                    file(parts.get(i), SegmentFiles.SWAP),
                    StandardCopyOption.ATOMIC_MOVE);
        }
        DurableFiles.syncDirectory(directory);
        LeftoverFiles.settle(directory);
    }

    /** What is no batch belongs to the last part, where recovery will meet it. */
    private static List<Part> parts(FileChannel whole, long baseOffset) throws IOException {
        List<Part> parts = new ArrayList<>();
        long base = baseOffset;
        long start = 0;
        ByteBuffer header = ByteBuffer.allocate(BatchHeader.SIZE);
        for (long position = 0; position + BatchHeader.SIZE <= whole.size(); ) {
            whole.read(header.clear(), position);
            int size = header.hasRemaining() ? -1 : BatchHeader.sizeInBytes(header, 0);
            if (size < 0) {
                break;
            }
            if (BatchHeader.lastOffset(header, 0) - base > Integer.MAX_VALUE) {
                parts.add(new Part(base, start, position));
                base = BatchHeader.baseOffset(header, 0);
                start = position;
            }
            position += size;
        }
        parts.add(new Part(base, start, whole.size()));
        return parts;
    }

    private void copy(FileChannel whole, Part part) throws IOException {
        try (FileChannel target = FileChannel.open(
                file(part, SegmentFiles.CLEANED),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            for (long position = part.start(); position < part.end(); ) {
                position += whole.transferTo(position, part.end() - position, target);
            }
            target.force(true);
        }
    }

    private Path file(Part part, String suffix) {
        return SegmentFiles.file(directory, part.baseOffset(), SegmentFiles.LOG + suffix);
    }
}
