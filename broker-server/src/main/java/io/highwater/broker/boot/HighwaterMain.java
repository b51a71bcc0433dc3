package io.highwater.broker.boot;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of {@code bin/highwater}. Exit codes: 0 done, 1 it could not be done and one sentence says why, 2 wrong usage. */
@Command(
        name = "highwater",
        description = "A Kafka-compatible broker.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            StartCommand.class,
            FormatCommand.class,
            DoctorCommand.class,
            VersionCommand.class,
            TrainCommand.class
        })
public final class HighwaterMain {
    private HighwaterMain() {}

    /** Runs one command and ends the process. */
    public static void main(String[] arguments) {
        useOwnLogging();
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new HighwaterMain()).setExecutionExceptionHandler((failure, command, result) -> {
            if (failure instanceof StartRefusedException) {
                System.err.println("highwater: " + failure.getMessage());
            } else {
                failure.printStackTrace();
            }
            return 1;
        });
    }

    /** Must come before the first logger: an operator's own file wins, Netty's DEBUG default never does. */
    private static void useOwnLogging() {
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", "io/highwater/broker/boot/logback.xml");
        }
    }
}
