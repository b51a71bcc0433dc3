package io.highwater.controlplane;

import java.nio.file.Path;
import org.apache.kafka.common.Uuid;

/**
 * A formatted log directory.
 *
 * @param path where it is
 * @param id its {@code directory.id}
 */
public record LogDirectoryIdentity(Path path, Uuid id) {}
