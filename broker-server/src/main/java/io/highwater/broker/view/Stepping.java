package io.highwater.broker.view;

/** Step mode of this broker. Any thread. */
public interface Stepping {
    /** Carries out a command and tells what is held after it. */
    LocalStep on(StepCommand command);

    /** Not enabled. */
    Stepping OFF = command -> LocalStep.OFF;
}
