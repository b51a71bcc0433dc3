package io.highwater.broker.metrics;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Log directories, their disks, flushes, and what the process has read and written. Any thread. */
public final class DiskMetrics implements SeriesSource {
    private static final double NANOS_PER_MS = 1e6;
    private static final String DIRECTORY = "directory";
    private static final Path PROCESS_IO = Path.of("/proc/self/io");

    private final Histogram flushes = new Histogram();
    private volatile Supplier<Map<Path, Boolean>> directories = Map::of;
    private volatile LongSupplier moving = () -> 0;

    DiskMetrics() {}

    /**
     * Says where to ask for the log directories.
     *
     * @param newDirectories each with whether it works
     * @param newMoving records that the replica furthest behind on its way into another directory still lacks
     */
    public void watch(Supplier<Map<Path, Boolean>> newDirectories, LongSupplier newMoving) {
        directories = newDirectories;
        moving = newMoving;
    }

    /** A log has been brought to the disk. */
    public void flushed(long nanos) {
        flushes.record(nanos);
    }

    private record Room(String directory, long totalBytes, long freeBytes) {}

    @Override
    public void writeTo(SeriesWriter out) {
        Map<Path, Boolean> all = new TreeMap<>(directories.get());
        out.gauge("kafka_log_logmanager_offlinelogdirectorycount", "Log directories that have failed")
                .sample(all.values().stream().filter(online -> !online).count());
        out.gauge("kafka_log_logmanager_cordonedlogdirectorycount", "Always 0: directories are not cordoned")
                .sample(0L);
        out.gauge("kafka_log_logmanager_logdirectoryoffline", "1 if the log directory has failed");
        all.forEach((path, online) -> out.sample(online ? 0L : 1L, "logDirectory", path.toString()));
        List<Room> rooms = rooms(all);
        room(out, rooms, "size_bytes", "Size of the disk that a log directory is on", Room::totalBytes);
        room(out, rooms, "free_bytes", "Bytes that the disk of a log directory has left for us", Room::freeBytes);
        room(
                out,
                rooms,
                "free_ratio",
                "Share of the disk of a log directory that is left for us",
                room -> room.totalBytes == 0 ? 0 : room.freeBytes / (double) room.totalBytes);
        out.gauge(
                        "kafka_server_replicaalterlogdirsmanager_maxlag",
                        "Records that the replica furthest behind on its way into another log directory lacks there")
                .sample(moving.getAsLong(), "clientId", "ReplicaAlterLogDirs");
        out.family(
                "kafka_log_logflushstats_logflushrateandtimems",
                "summary",
                "Milliseconds that a flush of a log took, over the last one to two minutes");
        flushes.write(out, NANOS_PER_MS, System.nanoTime());
        writeProcess(out);
    }

    private static List<Room> rooms(Map<Path, Boolean> directories) {
        List<Room> rooms = new ArrayList<>();
        directories.forEach((path, online) -> {
            try {
                FileStore disk = Files.getFileStore(path);
                rooms.add(new Room(path.toString(), disk.getTotalSpace(), disk.getUsableSpace()));
            } catch (IOException e) {
                // It has no series until it is back: a number made up would look like a disk.
            }
        });
        return rooms;
    }

    private static void room(
            SeriesWriter out, List<Room> rooms, String what, String help, Function<Room, Number> value) {
        out.gauge("highwater_log_directory_" + what, help);
        rooms.forEach(room -> out.sample(value.apply(room).doubleValue(), DIRECTORY, room.directory));
    }

    /** What Linux says of this process; nothing elsewhere. */
    private static void writeProcess(SeriesWriter out) {
        List<String> lines;
        try {
            lines = Files.readAllLines(PROCESS_IO);
        } catch (IOException e) {
            return;
        }
        for (String line : lines) {
            int colon = line.indexOf(':');
            String name = line.substring(0, Math.max(0, colon));
            if (name.equals("read_bytes") || name.equals("write_bytes")) {
                out.gauge(
                                "kafka_server_kafkaserver_linux_disk_" + name,
                                "Bytes that this process has made the disks "
                                        + (name.startsWith("read") ? "read" : "write"))
                        .sample(Long.parseLong(line.substring(colon + 1).trim()));
            }
        }
    }
}
