package io.highwater.controlplane;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ControllerRegistrationRequestData;
import org.apache.kafka.common.message.ControllerRegistrationResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes this controller's addresses and feature levels known in the metadata log: asks until its own incarnation is in an image, and again
 * if it is ever found missing. Owned by the control thread.
 */
final class ControllerRegistration implements MetadataPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerRegistration.class);
    private static final long RETRY_MS = 500;

    private final NodeSettings settings;
    private final ControllerChannel channel;
    private final ControlExecutor executor;
    private final Uuid incarnationId = Uuid.randomUuid();
    private boolean inFlight;
    private boolean registered;
    private boolean supported;

    ControllerRegistration(NodeSettings settings, ControllerChannel channel, ControlExecutor executor) {
        this.settings = settings;
        this.channel = channel;
        this.executor = executor;
    }

    @Override
    public String name() {
        return "highwater-controller-registration";
    }

    @Override
    public void onMetadataUpdate(MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
        if (delta.featuresDelta() == null && delta.clusterDelta() == null) {
            return;
        }
        boolean nowSupported = image.features()
                .metadataVersion()
                .map(MetadataVersion::isControllerRegistrationSupported)
                .orElse(false);
        org.apache.kafka.metadata.ControllerRegistration own =
                image.cluster().controllers().get(settings.nodeId());
        boolean nowRegistered = own != null && own.incarnationId().equals(incarnationId);
        executor.run(() -> {
            supported = nowSupported;
            registered = nowRegistered;
            sendIfMissing();
        });
    }

    private void sendIfMissing() {
        if (registered || !supported || inFlight) {
            return;
        }
        inFlight = true;
        channel.ask(request(), ControllerChannel.NO_DEADLINE_MS)
                .whenComplete((response, failure) -> executor.run(() -> onAnswer(response, failure)));
    }

    private ControllerRegistrationRequestData request() {
        ControllerRegistrationRequestData request = new ControllerRegistrationRequestData()
                .setControllerId(settings.nodeId())
                .setIncarnationId(incarnationId)
                .setZkMigrationReady(false);
        settings.controllerEndpoints()
                .forEach(endpoint -> request.listeners()
                        .add(new ControllerRegistrationRequestData.Listener()
                                .setName(endpoint.listener())
                                .setHost(endpoint.host())
                                .setPort(endpoint.port())
                                .setSecurityProtocol(endpoint.securityProtocol().id)));
        SupportedFeatures.RANGES.forEach((name, range) -> request.features()
                .add(new ControllerRegistrationRequestData.Feature()
                        .setName(name)
                        .setMinSupportedVersion(range.min())
                        .setMaxSupportedVersion(range.max())));
        return request;
    }

    private void onAnswer(@Nullable AbstractResponse response, @Nullable Throwable failure) {
        inFlight = false;
        if (failure instanceof ControlPlaneException) {
            return;
        }
        if (response != null) {
            Errors error = Errors.forCode(((ControllerRegistrationResponseData) response.data()).errorCode());
            if (error == Errors.NONE) {
                // The image with our registration follows, or another one that lacks it and makes us ask again.
                return;
            }
            LOG.info("the active controller does not register controller {} yet: {}", settings.nodeId(), error);
        } else {
            LOG.info("controller {} could not be registered; trying again", settings.nodeId(), failure);
        }
        executor.after(RETRY_MS, this::sendIfMissing);
    }

    @Override
    public void close() {}
}
