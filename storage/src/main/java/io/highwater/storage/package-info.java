/**
 * One replica's log on disk, in Kafka's names and bytes. Everything lives in the packages below: {@code log} (the log itself and
 * what is checked before an append), {@code segment} (one file with its indexes), {@code producer} (idempotence and
 * transactions), {@code epoch} (leader reigns) and {@code dir} (the directory that holds it all). High watermarks are not kept
 * here: they belong to replication and are passed in.
 */
@NullMarked
package io.highwater.storage;

import org.jspecify.annotations.NullMarked;
