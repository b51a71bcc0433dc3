package io.highwater.storage.log;

/**
 * What loading a directory found.
 *
 * @param segments at least one; the last takes appends
 * @param logStartOffset first offset kept
 * @param logEndOffset next offset to be written
 * @param recoveryPoint all below is on the disk
 */
record LoadedLog(SegmentList segments, long logStartOffset, long logEndOffset, long recoveryPoint) {}
