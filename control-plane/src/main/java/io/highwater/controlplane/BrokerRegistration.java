package io.highwater.controlplane;

import io.highwater.controlplane.ControlPlaneException.Reason;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.BrokerRegistrationResponseData;
import org.apache.kafka.common.message.UnregisterBrokerRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gets this broker registered: asks until the controller gives it an epoch, or refuses for good. Owned by the control thread. */
final class BrokerRegistration {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerRegistration.class);
    private static final long RETRY_MS = 250;
    private static final long RETRY_WITHOUT_IMAGE_MS = 20;

    private final NodeSettings settings;
    private final NodeIdentity identity;
    private final ControllerChannel channel;
    private final ControlExecutor executor;
    private final Supplier<ClusterImage> image;
    private final Supplier<CompletionStage<Boolean>> isWholeQuorum;
    private final int timeoutMs;
    private final IntSupplier controllerEpoch;
    private final TwinPatience twinPatience;
    private final Uuid incarnationId = Uuid.randomUuid();
    private final CompletableFuture<Long> epoch = new CompletableFuture<>();

    private long previousBrokerEpoch = -1;
    private long startedAtNanos;
    private boolean askedToForget;
    private boolean warnedOfTwin;

    /**
     * @param image the newest image
     * @param controllerEpoch changes whenever another controller becomes active
     * @param isWholeQuorum whether this process is the only controller of its cluster, as far as the quorum knows
     */
    BrokerRegistration(
            NodeSettings settings,
            NodeIdentity identity,
            StaticConfig config,
            ControllerChannel channel,
            ControlExecutor executor,
            Supplier<ClusterImage> image,
            IntSupplier controllerEpoch,
            Supplier<CompletionStage<Boolean>> isWholeQuorum) {
        this.settings = settings;
        this.identity = identity;
        this.channel = channel;
        this.executor = executor;
        this.image = image;
        this.controllerEpoch = controllerEpoch;
        this.isWholeQuorum = isWholeQuorum;
        this.timeoutMs = config.registrationTimeoutMs();
        this.twinPatience = new TwinPatience(config.sessionTimeoutNs());
    }

    /** Begins, once. The stage completes on the control thread. */
    CompletionStage<Long> begin(long epochBefore) {
        previousBrokerEpoch = epochBefore;
        startedAtNanos = System.nanoTime();
        send();
        return epoch;
    }

    /** Ends the attempts, unless they have ended already. */
    void refuse(Reason reason, String sentence) {
        epoch.completeExceptionally(new ControlPlaneException(reason, sentence));
    }

    private long sinceStartMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAtNanos);
    }

    private void send() {
        if (epoch.isDone()) {
            return;
        }
        long leftMs = timeoutMs - sinceStartMs();
        if (leftMs <= 0) {
            refuse(
                    Reason.TIMED_OUT,
                    "could not register with a controller within " + timeoutMs
                            + " ms (initial.broker.registration.timeout.ms)");
            return;
        }
        channel.ask(request(), leftMs)
                .whenComplete((response, failure) -> executor.run(() -> onAnswer(response, failure)));
    }

    private BrokerRegistrationRequestData request() {
        BrokerRegistrationRequestData request = new BrokerRegistrationRequestData()
                .setBrokerId(settings.nodeId())
                .setClusterId(identity.clusterId())
                .setIncarnationId(incarnationId)
                .setRack(settings.rack())
                .setPreviousBrokerEpoch(previousBrokerEpoch)
                .setLogDirs(identity.directories().stream()
                        .filter(directory -> settings.logDirectories().contains(directory.path()))
                        .map(LogDirectoryIdentity::id)
                        .sorted()
                        .toList());
        settings.brokerEndpoints()
                .forEach(endpoint -> request.listeners()
                        .add(new BrokerRegistrationRequestData.Listener()
                                .setName(endpoint.listener())
                                .setHost(endpoint.host())
                                .setPort(endpoint.port())
                                .setSecurityProtocol(endpoint.securityProtocol().id)));
        SupportedFeatures.RANGES.forEach((name, range) -> request.features()
                .add(new BrokerRegistrationRequestData.Feature()
                        .setName(name)
                        .setMinSupportedVersion(range.min())
                        .setMaxSupportedVersion(range.max())));
        return request;
    }

    private void onAnswer(@Nullable AbstractResponse response, @Nullable Throwable failure) {
        if (response == null) {
            onFailure(ErrorAnswers.unwrap(failure == null ? new IllegalStateException("no answer") : failure));
            return;
        }
        BrokerRegistrationResponseData answer = (BrokerRegistrationResponseData) response.data();
        Errors error = Errors.forCode(answer.errorCode());
        switch (error) {
            case NONE -> epoch.complete(answer.brokerEpoch());
            case DUPLICATE_BROKER_REGISTRATION -> onTwin();
            case INCONSISTENT_CLUSTER_ID -> onForeignCluster();
            case UNSUPPORTED_VERSION ->
                refuse(
                        Reason.UNSUPPORTED_FEATURE,
                        "the cluster runs a feature level that this broker does not know; it supports "
                                + SupportedFeatures.RANGES);
            case INVALID_REGISTRATION, CLUSTER_AUTHORIZATION_FAILED, INVALID_REQUEST ->
                refuse(
                        Reason.REGISTRATION_REFUSED,
                        "the controller refuses the registration of broker " + settings.nodeId() + ": " + error);
            default -> {
                LOG.info("the controller cannot register broker {} yet: {}", settings.nodeId(), error);
                executor.after(RETRY_MS, this::send);
            }
        }
    }

    private void onFailure(Throwable cause) {
        if (cause instanceof TimeoutException) {
            send();
        } else if (cause instanceof ControlPlaneException closed) {
            epoch.completeExceptionally(closed);
        } else {
            refuse(Reason.REGISTRATION_REFUSED, "cannot register with the controller: " + cause.getMessage());
        }
    }

    void onForeignCluster() {
        refuse(
                Reason.FOREIGN_CLUSTER,
                "the controllers belong to another cluster than this node's directories, which are of "
                        + identity.clusterId());
    }

    void onTwinController() {
        refuse(
                Reason.DUPLICATE_BROKER,
                "another process is a controller with node.id " + settings.nodeId() + " of this cluster");
    }

    /**
     * The registration of a process that crashed keeps its session for {@code broker.session.timeout.ms}. A cluster waits for that; where
     * this process is the whole quorum it need not: only through it could a twin have kept the session alive, and it has just begun.
     */
    private void onTwin() {
        if (image.get().offset() < 0) {
            executor.after(RETRY_WITHOUT_IMAGE_MS, this::send);
        } else if (previousBrokerEpoch < 0
                && !askedToForget
                && isOurs(image.get().broker(settings.nodeId()))) {
            askedToForget = true;
            isWholeQuorum
                    .get()
                    .whenComplete((whole, failed) -> executor.run(() -> {
                        if (failed == null && whole) {
                            forgetCrashed();
                        } else {
                            waitForTwin();
                        }
                    }));
        } else {
            waitForTwin();
        }
    }

    private boolean isOurs(@Nullable BrokerView registeredBefore) {
        Set<Uuid> ours =
                identity.directories().stream().map(LogDirectoryIdentity::id).collect(Collectors.toSet());
        return registeredBefore != null
                && !registeredBefore.directories().isEmpty()
                && ours.containsAll(registeredBefore.directories());
    }

    private void forgetCrashed() {
        LOG.info("broker {} crashed; its old registration is removed", settings.nodeId());
        channel.ask(new UnregisterBrokerRequestData().setBrokerId(settings.nodeId()), timeoutMs)
                .whenComplete((response, failure) -> executor.run(this::send));
    }

    private void waitForTwin() {
        if (twinPatience.isOver(controllerEpoch.getAsInt(), System.nanoTime())) {
            refuse(
                    Reason.DUPLICATE_BROKER,
                    "another process is registered as broker " + settings.nodeId() + " and keeps its session alive");
            return;
        }
        if (!warnedOfTwin) {
            warnedOfTwin = true;
            LOG.warn(
                    "broker {} is still registered by another process, or by this one before a crash;"
                            + " waiting for that session to end (broker.session.timeout.ms)",
                    settings.nodeId());
        }
        executor.after(RETRY_MS, this::send);
    }
}
