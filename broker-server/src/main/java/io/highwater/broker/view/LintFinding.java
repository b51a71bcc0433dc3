package io.highwater.broker.view;

import org.jspecify.annotations.Nullable;

/**
 * Something that makes records less safe than they could be.
 *
 * @param rule its kind
 * @param severity {@code warning} or {@code info}
 * @param topic the topic it is about; null if it is about the cluster
 * @param text what it is
 * @param fix what could be done
 */
public record LintFinding(
        String rule, String severity, @Nullable String topic, String text, String fix) {}
