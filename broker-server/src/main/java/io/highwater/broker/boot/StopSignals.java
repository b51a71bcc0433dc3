package io.highwater.broker.boot;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * SIGINT and SIGTERM: the first asks for a clean stop, any later one ends the process at once. A shutdown hook could not tell the second
 * from the first.
 */
final class StopSignals {
    /** What a shell shows for a process that SIGINT has ended. */
    static final int FORCED_EXIT_CODE = 130;

    private StopSignals() {}

    /**
     * From now on {@code stop} is called, once and on a thread of the JVM's own that it may not block, instead of the JVM's own end.
     *
     * <p>Reached by reflection: {@code sun.misc.Signal} is supported in every JDK we run on, but naming it is a compiler warning
     * that cannot be silenced.
     */
    static void install(Runnable stop) {
        AtomicBoolean asked = new AtomicBoolean();
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object onSignal = Proxy.newProxyInstance(
                    StopSignals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            if (asked.compareAndSet(false, true)) {
                                stop.run();
                            } else {
                                Runtime.getRuntime().halt(FORCED_EXIT_CODE);
                            }
                        }
                        return null;
                    });
            for (String name : new String[] {"INT", "TERM"}) {
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), onSignal);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM has no signal handlers", e);
        }
    }
}
