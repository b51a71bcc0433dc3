package io.highwater.broker.boot;

/** {@code highwater start}: one broker in the foreground, until a signal or a fatal fault ends it. */
final class StartCommand implements Command {
    @Override
    public int run(Arguments arguments) throws InterruptedException {
        StopRequest stop = new StopRequest();
        StopSignals.install(stop::bySignal);
        Broker broker = Broker.start(arguments.config(), arguments.origin(), stop);
        stop.await();
        broker.stop();
        return stop.exitCode();
    }
}
