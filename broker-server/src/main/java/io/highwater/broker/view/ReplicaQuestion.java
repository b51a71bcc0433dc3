package io.highwater.broker.view;

import java.util.List;

/**
 * Asks for replicas of one topic.
 *
 * @param topic its name
 * @param partitions their indexes
 * @param known fingerprints of what is known of each of them, which is not told again; empty to be told everything
 */
public record ReplicaQuestion(String topic, List<Integer> partitions, List<Integer> known) {
    int known(int position) {
        return position < known.size() ? known.get(position) : Fingerprint.UNKNOWN;
    }
}
