package io.highwater.testkit;

import java.lang.reflect.AnnotatedElement;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts the cluster of a {@link HighwaterCluster} when the first parameter asks for it, and keeps it with the class or method that bears
 * the annotation; JUnit closes it when that is over.
 */
final class HighwaterExtension implements ParameterResolver {
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(HighwaterExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == HighwaterTestCluster.class
                || (type == String.class && parameter.isAnnotated(BootstrapServers.class));
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        HighwaterTestCluster cluster = cluster(context);
        return parameter.getParameter().getType() == String.class ? cluster.bootstrapServers() : cluster;
    }

    private static HighwaterTestCluster cluster(ExtensionContext context) {
        for (Optional<ExtensionContext> at = Optional.of(context);
                at.isPresent();
                at = at.get().getParent()) {
            Optional<HighwaterCluster> wanted = at.get().getElement().flatMap(HighwaterExtension::annotation);
            if (wanted.isPresent()) {
                // A store asks its parents too; the id keeps a method from getting the cluster of its class.
                return at.get()
                        .getStore(OURS)
                        .getOrComputeIfAbsent(at.get().getUniqueId(), key -> new Running(wanted.get()), Running.class)
                        .cluster;
            }
        }
        throw new ParameterResolutionException("neither the test nor its class bears @HighwaterCluster");
    }

    private static Optional<HighwaterCluster> annotation(AnnotatedElement element) {
        return Optional.ofNullable(element.getAnnotation(HighwaterCluster.class));
    }

    /** Closed by JUnit with the store that holds it. */
    private static final class Running implements AutoCloseable {
        private final HighwaterTestCluster cluster;

        Running(HighwaterCluster wanted) {
            HighwaterTestCluster.Builder builder =
                    HighwaterTestCluster.builder().brokers(wanted.brokers());
            for (String setting : wanted.config()) {
                int equals = setting.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException("a setting is name=value, not '" + setting + "'");
                }
                builder.config(setting.substring(0, equals), setting.substring(equals + 1));
            }
            cluster = builder.start();
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
