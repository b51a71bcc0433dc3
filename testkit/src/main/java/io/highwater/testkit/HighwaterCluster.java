package io.highwater.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test a cluster of its own. On a class all its tests share one cluster, which runs from before the first to after the last; on a
 * method that test alone has one. Test methods, lifecycle methods and constructors may take a {@link HighwaterTestCluster}; a
 * {@code String} parameter with {@link BootstrapServers} gets its address list.
 *
 * <p>Several brokers are each a controller too, and can be killed, paused and cut off: see {@link HighwaterTestCluster} and {@link TestBroker}.
 *
 * <pre>{@code
 * @HighwaterCluster(config = "auto.create.topics.enable=false")
 * class OrdersTest {
 *     @Test
 *     void keepsThem(HighwaterTestCluster cluster, @BootstrapServers String servers) { ... }
 * }
 * }</pre>
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(HighwaterExtension.class)
public @interface HighwaterCluster {
    /** How many brokers. */
    int brokers() default 1;

    /** Settings of every broker, each as {@code name=value}. */
    String[] config() default {};
}
