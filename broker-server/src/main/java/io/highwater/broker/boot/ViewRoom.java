package io.highwater.broker.boot;

import io.highwater.broker.api.RequestInterceptor;
import io.highwater.broker.config.BrokerConfig;
import io.highwater.broker.config.LiveConfig;
import io.highwater.broker.http.ApiRoutes;
import io.highwater.broker.http.HttpPeers;
import io.highwater.broker.http.HttpRoutes;
import io.highwater.broker.http.HttpSecurity;
import io.highwater.broker.http.LivePage;
import io.highwater.broker.http.LiveStreams;
import io.highwater.broker.http.ViewThread;
import io.highwater.broker.journal.IsrHistory;
import io.highwater.broker.journal.Journal;
import io.highwater.broker.metrics.GroupMetrics;
import io.highwater.broker.partition.Clock;
import io.highwater.broker.partition.Partitions;
import io.highwater.broker.step.StepMode;
import io.highwater.broker.view.ClusterView;
import io.highwater.broker.view.LintWatch;
import io.highwater.broker.view.LocalView;
import io.highwater.broker.view.Stepping;
import io.highwater.broker.view.TopicSettings;
import io.highwater.controlplane.ClusterImage;
import io.highwater.controlplane.ControlPlane;
import io.highwater.controlplane.TopicView;
import io.highwater.coordination.group.GroupCoordination;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** What shows a node and its cluster to people, over HTTP: built once, before the node has anything to show. */
final class ViewRoom {
    private final Journal journal = new Journal(Clock.SYSTEM::wallMs);
    private final IsrHistory isrHistory = new IsrHistory(Clock.SYSTEM::wallMs);
    private final @Nullable StepMode stepMode;
    private final LocalView local;
    private final ClusterView view;
    private final ViewThread thread;
    private final LintWatch lint;
    private final List<HttpRoutes> routes;
    private volatile Supplier<BrokerConfig> current;

    /** Each part puts its way back onto {@code steps}. */
    ViewRoom(NodeParts node, Steps steps) {
        BrokerConfig config = node.config();
        current = () -> config;
        ControlPlane controlPlane = node.controlPlane();
        stepMode = config.getBoolean("highwater.step.enabled")
                ? new StepMode(config.nodeId(), id -> topicName(controlPlane.image(), id), Clock.SYSTEM::monotonicMs)
                : null;
        local = new LocalView(
                config.nodeId(),
                node.identity().clusterId(),
                journal,
                isrHistory,
                stepMode == null ? Stepping.OFF : stepMode);
        thread = new ViewThread();
        steps.done("the view's thread", thread::close);
        HttpPeers peers = new HttpPeers(
                node.vertx(), security(config), thread, node.identity().clusterId());
        steps.done("questions to other brokers", peers::close);
        TopicSettings settings = new TopicSettings(name -> config().value(name));
        view = new ClusterView(
                local,
                peers,
                controlPlane::image,
                () -> controlPlane.controllerId().orElse(-1),
                settings,
                Clock.SYSTEM::wallMs,
                thread);
        lint = new LintWatch(local, controlPlane::image, settings, Clock.SYSTEM::wallMs);
        node.metrics().add(lint);
        routes = List.of(
                new ApiRoutes(view, local, new LiveStreams(view, thread), thread, stepMode != null),
                new LivePage(node.vertx()));
    }

    /** From {@code highwater.http.*}. */
    static HttpSecurity security(BrokerConfig config) {
        return new HttpSecurity(
                config.getString("highwater.http.token"),
                config.getString("highwater.http.tls.certificate"),
                config.getString("highwater.http.tls.key"),
                config.getString("highwater.http.tls.trust"));
    }

    /** What happens to replicas is written down here. */
    Journal journal() {
        return journal;
    }

    /** Who comes and goes among in-sync replicas is written down here. */
    IsrHistory isrHistory() {
        return isrHistory;
    }

    /** Answers of HTTP. */
    List<HttpRoutes> routes() {
        return routes;
    }

    /** What stands in front of the handlers of clients and brokers; null if nothing does. */
    @Nullable
    RequestInterceptor stepMode() {
        return stepMode;
    }

    /** What metrics tell of groups. */
    GroupMetrics.View groupWatch(GroupCoordination groups, Partitions partitions) {
        return view.groupWatch(groups, partitions, Clock.SYSTEM);
    }

    private BrokerConfig config() {
        return current.get();
    }

    /** The node is a broker, and has these. */
    void serves(LiveConfig config, Partitions partitions, GroupCoordination groups) {
        current = config::current;
        local.serves(partitions, groups);
        var unused = thread.every(LintWatch.PERIOD_MS, lint::look);
    }

    private static @Nullable String topicName(ClusterImage image, Uuid id) {
        TopicView topic = image.topic(id);
        return topic == null ? null : topic.name();
    }
}
