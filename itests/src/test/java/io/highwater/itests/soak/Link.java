package io.highwater.itests.soak;

/**
 * One direction between two nodes. While it is cut nothing passes, and nothing is lost either: as on a network that drops packets, the
 * sender's bytes wait until it is mended or the connection is given up. Any thread.
 *
 * @param from the node that sends
 * @param to the node that is sent to
 */
record Link(int from, int to) {}
