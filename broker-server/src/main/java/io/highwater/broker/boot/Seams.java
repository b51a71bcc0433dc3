package io.highwater.broker.boot;

import io.highwater.broker.api.RequestInterceptor;
import io.highwater.broker.partition.PartitionEvents;
import io.highwater.controlplane.Detour;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where a test may take hold of a node that runs in its JVM. A node that serves has {@link #NONE}, and then nothing of this costs anything.
 *
 * @param requests between connections and handlers, of all listeners; null for nothing
 * @param detour where connections to other nodes lead
 * @param events given who hears what becomes of partitions, who hears it instead
 */
public record Seams(@Nullable RequestInterceptor requests, Detour detour, UnaryOperator<PartitionEvents> events) {
    /** Nobody takes hold. */
    public static final Seams NONE = new Seams(null, Detour.NONE, UnaryOperator.identity());
}
