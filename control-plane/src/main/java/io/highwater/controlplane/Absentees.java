package io.highwater.controlplane;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Controllers that could not be reached when they were last called. Says once that one is away and once that it is back, however often it is
 * called in between and by whom; a node counts by its address, since it may be called before its id is known. Any thread.
 */
final class Absentees {
    private static final Logger LOG = LoggerFactory.getLogger(Absentees.class);

    private final Set<String> addresses = ConcurrentHashMap.newKeySet();

    /** There was no way to it; whether that is news. */
    boolean missed(Node node) {
        boolean news = addresses.add(address(node));
        if (news) {
            LOG.warn("the controller at {} cannot be reached; it is called again until it can", address(node));
        }
        return news;
    }

    /** It is connected; whether that is news. */
    boolean met(Node node) {
        boolean news = !addresses.isEmpty() && addresses.remove(address(node));
        if (news) {
            LOG.info("the controller at {} is reached again", address(node));
        }
        return news;
    }

    private static String address(Node node) {
        return node.host() + ":" + node.port();
    }
}
