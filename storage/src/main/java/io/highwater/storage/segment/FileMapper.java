package io.highwater.storage.segment;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps files so that they can be unmapped again, which Java offers in two ways: from 22 on, through an arena that owns the
 * mapping; before, only through {@code Unsafe.invokeCleaner}, of which later versions warn. This code is compiled for 17, so both
 * are looked up by name.
 */
abstract class FileMapper {
    private static final Logger log = LoggerFactory.getLogger(FileMapper.class);

    /** The one for this JVM. */
    static final FileMapper INSTANCE = choose();

    /**
     * A mapped file.
     *
     * @param bytes its memory
     * @param owner what {@link #unmap} needs
     */
    record Mapping(MappedByteBuffer bytes, Object owner) {}

    /** Maps the first bytes of a file, extending it if it is shorter. */
    abstract Mapping map(FileChannel channel, MapMode mode, int sizeBytes) throws IOException;

    /** Unmaps; nobody may touch the bytes any more. */
    abstract void unmap(Mapping mapping);

    private static FileMapper choose() {
        try {
            return Runtime.version().feature() >= 22 ? new ByArena() : new ByCleaner();
        } catch (ReflectiveOperationException | RuntimeException e) {
            log.warn("This JVM gives no way to unmap files; they stay mapped until garbage is collected", e);
            return new ByGarbageCollector();
        }
    }

    private static class ByGarbageCollector extends FileMapper {
        @Override
        Mapping map(FileChannel channel, MapMode mode, int sizeBytes) throws IOException {
            MappedByteBuffer bytes = channel.map(mode, 0, sizeBytes);
            return new Mapping(bytes, bytes);
        }

        @Override
        void unmap(Mapping mapping) {}
    }

    /** Java 17 to 21; {@code jdk.unsupported} opens Unsafe on purpose, so nothing is forced. */
    private static final class ByCleaner extends ByGarbageCollector {
        private final MethodHandle invokeCleaner;

        ByCleaner() throws ReflectiveOperationException {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field theUnsafe = unsafe.getDeclaredField("theUnsafe");
            theUnsafe.setAccessible(true);
            invokeCleaner = MethodHandles.lookup()
                    .findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                    .bindTo(theUnsafe.get(null));
        }

        @Override
        void unmap(Mapping mapping) {
            try {
                invokeCleaner.invoke(mapping.bytes());
            } catch (Throwable e) {
                throw new IllegalStateException("cannot unmap " + mapping.bytes(), e);
            }
        }
    }

    /** Java 22 and later. */
    private static final class ByArena extends FileMapper {
        private final MethodHandle newArena;
        private final MethodHandle map;
        private final MethodHandle asByteBuffer;

        ByArena() throws ReflectiveOperationException {
            Class<?> arena = Class.forName("java.lang.foreign.Arena");
            Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            newArena = lookup.findStatic(arena, "ofShared", MethodType.methodType(arena));
            map = lookup.findVirtual(
                    FileChannel.class,
                    "map",
                    MethodType.methodType(segment, MapMode.class, long.class, long.class, arena));
            asByteBuffer = lookup.findVirtual(segment, "asByteBuffer", MethodType.methodType(ByteBuffer.class));
        }

        @Override
        Mapping map(FileChannel channel, MapMode mode, int sizeBytes) throws IOException {
            try {
                Object arena = newArena.invoke();
                try {
                    Object memory = map.invoke(channel, mode, 0L, (long) sizeBytes, arena);
                    return new Mapping((MappedByteBuffer) asByteBuffer.invoke(memory), arena);
                } catch (Throwable e) {
                    ((AutoCloseable) arena).close();
                    throw e;
                }
            } catch (IOException | RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("cannot map", e);
            }
        }

        @Override
        void unmap(Mapping mapping) {
            try {
                ((AutoCloseable) mapping.owner()).close();
            } catch (Exception e) {
                throw new IllegalStateException("cannot unmap " + mapping.bytes(), e);
            }
        }
    }
}
