package io.highwater.broker.config;

import java.util.List;

/** What is allowed but worth a word at start. */
final class Warnings {
    private Warnings() {}

    static List<String> of(BrokerConfig config) {
        return List.of();
    }
}
