package io.highwater.broker.boot;

import io.highwater.broker.config.BrokerConfig;
import java.io.PrintStream;
import java.util.List;

/** {@code highwater doctor}: would it start, and what is unsafe about it? Changes nothing. */
final class DoctorCommand implements Command {
    private final PrintStream out;

    DoctorCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public int run(Arguments arguments) {
        BrokerConfig config = arguments.config();
        List<String> findings = Checks.run(config);
        config.warnings().forEach(warning -> out.println("warning: " + warning));
        findings.forEach(finding -> out.println("error: " + finding));
        out.println(findings.isEmpty() ? "It would start." : "It would not start.");
        return findings.isEmpty() ? 0 : 1;
    }
}
