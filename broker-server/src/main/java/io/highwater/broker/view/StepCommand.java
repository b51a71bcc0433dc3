package io.highwater.broker.view;

/**
 * What is to be done in step mode.
 *
 * @param verb {@code look}, {@code hold}, {@code release} or {@code end}
 * @param follower whose fetches; -1 for all
 */
public record StepCommand(String verb, int follower) {
    /** Only tells what is held. */
    public static final StepCommand LOOK = new StepCommand("look", -1);
}
