package io.highwater.broker.boot;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code highwater start}: one broker in the foreground, until a signal or a fatal fault ends it. */
@Command(
        name = "start",
        description = "Run one broker in the foreground. A first start formats its log directories.",
        mixinStandardHelpOptions = true)
final class StartCommand implements Callable<Integer> {
    @Mixin
    private final SettingsOptions options = new SettingsOptions();

    @Override
    public Integer call() throws InterruptedException {
        StopRequest stop = new StopRequest();
        StopSignals.install(stop::bySignal);
        Broker broker = Broker.start(options.read(), options.origin(), stop);
        stop.await();
        broker.stop();
        return stop.exitCode();
    }
}
