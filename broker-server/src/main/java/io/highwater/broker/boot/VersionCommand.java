package io.highwater.broker.boot;

import io.highwater.broker.api.CompatibilityStatement;
import java.util.concurrent.Callable;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** {@code highwater version}. */
@Command(name = "version", description = "Print the versions of Highwater, of Kafka's protocol, and of Java.")
final class VersionCommand implements Callable<Integer>, IVersionProvider {
    @Option(names = "--apis", description = "Print every API with its versions, as Markdown.")
    private boolean apis;

    @Override
    public Integer call() {
        if (apis) {
            System.out.print(CompatibilityStatement.markdown());
            return 0;
        }
        for (String line : getVersion()) {
            System.out.println(line);
        }
        return 0;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "Highwater " + Version.own(),
            "Kafka protocol and file formats of " + AppInfoParser.getVersion(),
            "Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vm.name") + ")"
        };
    }
}
