package io.highwater.broker.boot;

import io.highwater.broker.config.BrokerConfig;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code highwater doctor}: would it start, and what is unsafe about it? Changes nothing. */
@Command(
        name = "doctor",
        description =
                "Check the configuration and the log directories of a broker that is not running. Changes nothing.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private final SettingsOptions options = new SettingsOptions();

    @Override
    public Integer call() {
        BrokerConfig config = options.read();
        List<String> findings = Checks.run(config);
        config.warnings().forEach(warning -> System.out.println("warning: " + warning));
        findings.forEach(finding -> System.out.println("error: " + finding));
        System.out.println(findings.isEmpty() ? "It would start." : "It would not start.");
        return findings.isEmpty() ? 0 : 1;
    }
}
