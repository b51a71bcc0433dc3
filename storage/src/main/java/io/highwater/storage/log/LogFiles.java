package io.highwater.storage.log;

import io.highwater.storage.segment.Segment;
import io.highwater.storage.segment.SegmentShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes and removes the files of one log. The owner's. */
final class LogFiles {
    private static final Logger log = LoggerFactory.getLogger(LogFiles.class);

    private final TopicPartition topicPartition;
    private final DiskErrands errands;
    private volatile Path directory;

    LogFiles(TopicPartition topicPartition, Path directory, DiskErrands errands) {
        this.topicPartition = topicPartition;
        this.directory = directory;
        this.errands = errands;
    }

    Path directory() {
        return directory;
    }

    void movedTo(Path newDirectory) {
        directory = newDirectory;
    }

    DiskErrands errands() {
        return errands;
    }

    /** Makes an empty segment; if that fails, nothing of it stays behind. */
    Segment create(long baseOffset, LogSettings settings, long nowMs) throws IOException {
        return Segment.create(directory, baseOffset, shape(settings), nowMs);
    }

    Segment open(long baseOffset, LogSettings settings, long nowMs) throws IOException {
        return Segment.open(directory, baseOffset, shape(settings), nowMs);
    }

    /**
     * Renames the files of segments that have left (or are leaving) the list, and deletes them after
     * {@code file.delete.delay.ms}. Those who read go on reading.
     */
    void delete(List<Segment> segments, List<Path> renamedBefore, LogSettings settings) throws IOException {
        List<Path> doomed = new ArrayList<>(renamedBefore);
        for (Segment segment : segments) {
            doomed.addAll(segment.renameToDeleted());
            segment.close();
        }
        if (doomed.isEmpty()) {
            return;
        }
        String what = "delete " + doomed.size() + " files of " + topicPartition;
        errands.later(what, settings.retention().fileDeleteDelayMs(), () -> deleteNow(doomed));
    }

    private static void deleteNow(List<Path> doomed) throws IOException {
        for (Path file : doomed) {
            if (Files.deleteIfExists(file)) {
                log.debug("Deleted {}", file);
            }
        }
    }

    private static SegmentShape shape(LogSettings settings) {
        LogSettings.Segments segment = settings.segment();
        return new SegmentShape(
                segment.bytes(), segment.indexBytes(), segment.indexIntervalBytes(), segment.drawJitterMs());
    }
}
