package io.highwater.wire.frame;

import io.netty.channel.DefaultFileRegion;
import java.nio.channels.FileChannel;

/** A stretch of a file that belongs to somebody else: deallocation gives the lease back and leaves the file open. */
final class LeasedFileRegion extends DefaultFileRegion {
    private final LeasedRecords lease;

    LeasedFileRegion(FileChannel file, long position, int sizeBytes, LeasedRecords lease) {
        super(file, position, sizeBytes);
        this.lease = lease;
    }

    @Override
    protected void deallocate() {
        lease.release();
    }
}
