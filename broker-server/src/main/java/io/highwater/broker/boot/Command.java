package io.highwater.broker.boot;

/** One command of the command line. */
@FunctionalInterface
interface Command {
    /**
     * Does it.
     *
     * @return the process's exit code
     * @throws StartRefusedException if it cannot be done, for a reason that lies with its user
     */
    int run(Arguments arguments) throws Exception;
}
