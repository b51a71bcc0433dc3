package io.highwater.controlplane;

import org.jspecify.annotations.Nullable;

/**
 * Told when the control plane cannot go on: the metadata log cannot be read or written, a controller met a record it does
 * not understand, this node cannot call controllers any more. The process must end; going on would loop through elections for
 * ever, or be fenced for ever. Called at most once per control plane, on the thread that met the fault, which must not be
 * blocked: begin the shutdown elsewhere and return.
 */
@FunctionalInterface
public interface FatalFaults {
    /**
     * The control plane is dead.
     *
     * @param sentence what happened, for the log
     * @param cause the exception behind it, if there is one
     */
    void onFatalFault(String sentence, @Nullable Throwable cause);
}
