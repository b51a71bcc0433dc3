package io.highwater.broker.boot;

import java.io.PrintStream;
import org.apache.kafka.common.utils.internals.AppInfoParser;

/** {@code highwater version}. */
final class VersionCommand implements Command {
    private final PrintStream out;

    VersionCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public int run(Arguments arguments) {
        out.println("Highwater " + Version.own());
        out.println("Kafka protocol and file formats of " + AppInfoParser.getVersion());
        out.println("Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vm.name") + ")");
        return 0;
    }
}
