/**
 * The log of one partition: what is checked before an append, the append itself, reads, truncation, retention and recovery. Its
 * mutators belong to the partition's lock, its readers to any thread; {@link io.highwater.storage.log.BatchValidator} runs before
 * the lock on whatever thread brought the batch. Neighbours: {@code segment} below, {@code producer} and {@code epoch} beside.
 */
@NullMarked
package io.highwater.storage.log;

import org.jspecify.annotations.NullMarked;
