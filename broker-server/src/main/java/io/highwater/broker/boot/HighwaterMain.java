package io.highwater.broker.boot;

import io.highwater.broker.api.CompatibilityStatement;
import io.highwater.broker.boot.Arguments.WrongUsageException;
import java.io.PrintStream;
import java.util.List;

/** The command line of {@code bin/highwater}. Exit codes: 0 done, 1 it could not be done and one sentence says why, 2 wrong usage. */
public final class HighwaterMain {
    private static final int REFUSED = 1;
    private static final int WRONG_USAGE = 2;
    private static final List<String> USAGE = List.of(
            "highwater COMMAND [OPTION]...",
            "",
            "  start     run one broker in the foreground; a first start formats its log directories",
            "  format    prepare empty log directories without starting; -t ID names the cluster to join",
            "  doctor    check the configuration and the log directories of a broker that is not running; changes"
                    + " nothing",
            "  version   versions of Highwater, of Kafka's protocol, and of Java",
            "  apis      every API with the versions that are answered, as Markdown",
            "  cluster   several brokers on this machine, in the background: highwater cluster help",
            "",
            "  -c FILE, --config FILE       Kafka's server.properties; without one, a single node that listens on"
                    + " loopback",
            "  --set NAME=VALUE             one setting; wins over the file, may be repeated",
            "  -t ID, --cluster-id ID       with format only");

    private HighwaterMain() {}

    /** Runs one command and ends the process. */
    public static void main(String[] words) {
        Logging.useOwn();
        System.exit(run(words, System.out, System.err));
    }

    static int run(String[] words, PrintStream out, PrintStream err) {
        try {
            if (words.length == 0
                    || List.of(words).contains("--help")
                    || List.of(words).contains("-h")) {
                USAGE.forEach(out::println);
                return 0;
            }
            Command command = command(words[0], out);
            Arguments arguments = Arguments.parse(words, 1);
            if (arguments.clusterId() != null && !words[0].equals("format")) {
                throw new WrongUsageException(
                        words[0] + " takes no cluster id: it is for format, or --set highwater.cluster.id=ID");
            }
            return command.run(arguments);
        } catch (WrongUsageException e) {
            err.println("highwater: " + e.getMessage()
                    + " (highwater --help lists commands, highwater start --help options)");
            return WRONG_USAGE;
        } catch (StartRefusedException e) {
            err.println("highwater: " + e.getMessage());
            return REFUSED;
        } catch (Exception e) {
            e.printStackTrace(err);
            return REFUSED;
        }
    }

    private static Command command(String name, PrintStream out) throws WrongUsageException {
        return switch (name) {
            case "start" -> new StartCommand();
            case "format" -> new FormatCommand(out);
            case "doctor" -> new DoctorCommand(out);
            case "version", "--version" -> new VersionCommand(out);
            case "apis" ->
                arguments -> {
                    out.print(CompatibilityStatement.markdown());
                    return 0;
                };
            case "train" -> new TrainCommand();
            default -> throw new WrongUsageException("there is no command " + name);
        };
    }
}
