package io.highwater.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.EnvelopeRequestData;
import org.apache.kafka.common.message.EnvelopeResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ControllerListenerTest {
    /** Ours answers them from the broker only; a stock controller refuses them too. */
    private static final Set<ApiKeys> NOT_HERE =
            EnumSet.of(ApiKeys.DESCRIBE_DELEGATION_TOKEN, ApiKeys.DESCRIBE_USER_SCRAM_CREDENTIALS);

    private static final Caller CALLER = new Caller(
            KafkaPrincipal.ANONYMOUS, InetAddress.getLoopbackAddress(), "CONTROLLER", SecurityProtocol.PLAINTEXT);

    @TempDir
    static Path directory;

    private static TestNode node;

    @BeforeAll
    static void start() {
        node = TestNode.combined(1, directory).start().unfenced();
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void everyApiOfAStockControllersListenerIsAnnounced() {
        ApiVersionsResponseData answer = ask(
                ApiKeys.API_VERSIONS,
                new ApiVersionsRequestData().setClientSoftwareName("test").setClientSoftwareVersion("1"),
                ApiVersionsResponseData.class);

        Set<ApiKeys> expected = EnumSet.copyOf(ApiKeys.apisForListener(ApiMessageType.ListenerType.CONTROLLER));
        expected.removeAll(NOT_HERE);
        assertThat(answer.apiKeys().stream().map(api -> ApiKeys.forId(api.apiKey())))
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(answer.finalizedFeatures().find("metadata.version").maxVersionLevel())
                .isEqualTo((short) 33);
    }

    @ParameterizedTest
    @MethodSource("announced")
    void anEmptyRequestIsAnsweredInEveryVersion(ApiKeys api) {
        for (short version : api.allVersions()) {
            ApiMessage request = ApiMessageType.fromApiKey(api.id).newRequest();
            RequestHeader header = new RequestHeader(api, version, "test", 1);

            ApiMessage answer = TestNode.await(node.controlPlane.handleControllerRequest(header, request, CALLER));

            assertThat(answer.apiKey()).isEqualTo(api.id);
        }
    }

    static Stream<ApiKeys> announced() {
        // An empty filter of ACLs cannot even be read; envelopes have tests of their own.
        return ApiKeys.apisForListener(ApiMessageType.ListenerType.CONTROLLER).stream()
                .filter(api -> !NOT_HERE.contains(api) && api != ApiKeys.ENVELOPE && api != ApiKeys.DESCRIBE_ACLS);
    }

    @Test
    void anApiOfBrokersClosesTheConnection() {
        RequestHeader header = new RequestHeader(ApiKeys.HEARTBEAT, (short) 4, "test", 1);

        assertThat(node.controlPlane.handleControllerRequest(header, new HeartbeatRequestData(), CALLER))
                .isCompletedExceptionally();
    }

    @Test
    void anotherClusterIsToldToBootstrapAgain() {
        ApiVersionsResponseData answer = ask(
                ApiKeys.API_VERSIONS,
                new ApiVersionsRequestData()
                        .setClientSoftwareName("test")
                        .setClientSoftwareVersion("1")
                        .setClusterId(Uuid.randomUuid().toString())
                        .setNodeId(1),
                ApiVersionsResponseData.class);

        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.REBOOTSTRAP_REQUIRED);
    }

    @Test
    void theControllersAreDescribedAndBrokersAreNot() {
        DescribeClusterResponseData controllers = ask(
                ApiKeys.DESCRIBE_CLUSTER,
                new DescribeClusterRequestData().setEndpointType((byte) 2),
                DescribeClusterResponseData.class);
        DescribeClusterResponseData brokers = ask(
                ApiKeys.DESCRIBE_CLUSTER,
                new DescribeClusterRequestData().setEndpointType((byte) 1),
                DescribeClusterResponseData.class);

        assertThat(controllers.brokers().find(1).port()).isEqualTo(node.listener.port());
        assertThat(controllers.clusterId()).isEqualTo(node.identity.clusterId());
        assertThat(Errors.forCode(brokers.errorCode())).isEqualTo(Errors.MISMATCHED_ENDPOINT_TYPE);
    }

    @Test
    void fetchedMetadataIsInMemory() {
        FetchRequestData request = new FetchRequestData()
                .setMaxBytes(1 << 20)
                .setClusterId(node.identity.clusterId())
                .setTopics(List.of(new FetchRequestData.FetchTopic()
                        .setTopicId(Uuid.METADATA_TOPIC_ID)
                        .setPartitions(List.of(new FetchRequestData.FetchPartition()
                                .setPartition(0)
                                .setCurrentLeaderEpoch(1)
                                .setLastFetchedEpoch(0)
                                .setPartitionMaxBytes(1 << 20)))));

        FetchResponseData answer = ask(ApiKeys.FETCH, request, FetchResponseData.class);

        FetchResponseData.PartitionData partition =
                answer.responses().get(0).partitions().get(0);
        assertThat(Errors.forCode(partition.errorCode())).isEqualTo(Errors.NONE);
        assertThat(partition.records())
                .isInstanceOfSatisfying(
                        MemoryRecords.class,
                        records -> assertThat(records.sizeInBytes()).isPositive());
    }

    @Test
    void anEnvelopeWithGarbageInsideIsRefusedAsUnsupported() {
        EnvelopeRequestData envelope = wrapped();
        envelope.setRequestData(ByteBuffer.wrap("garbage".getBytes(StandardCharsets.UTF_8)));

        assertThat(errorOf(envelope)).isEqualTo(Errors.UNSUPPORTED_VERSION);
    }

    @Test
    void anEnvelopeWithABadPrincipalIsRefused() {
        EnvelopeRequestData envelope = wrapped();
        envelope.setRequestPrincipal(new byte[] {1, 2, 3});

        assertThat(errorOf(envelope)).isEqualTo(Errors.PRINCIPAL_DESERIALIZATION_FAILURE);
    }

    @Test
    void anEnvelopeWithABadAddressIsRefused() {
        EnvelopeRequestData envelope = wrapped();
        envelope.setClientHostAddress(new byte[] {1});

        assertThat(errorOf(envelope)).isEqualTo(Errors.INVALID_REQUEST);
    }

    @Test
    void whatMayNotBeForwardedIsRefused() {
        RequestHeader header = new RequestHeader(ApiKeys.HEARTBEAT, (short) 4, "test", 1);

        assertThat(errorOf(Envelopes.wrap(header, new HeartbeatRequestData(), Caller.self())))
                .isEqualTo(Errors.INVALID_REQUEST);
    }

    @Test
    void theAnswerInsideAnEnvelopeIsReadBack() {
        RequestHeader inner = new RequestHeader(ApiKeys.CREATE_TOPICS, (short) 7, "test", 7);
        EnvelopeResponseData answer = ask(ApiKeys.ENVELOPE, wrapped(), EnvelopeResponseData.class);

        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
        assertThat(Envelopes.answerInside(answer, inner)).isInstanceOf(CreateTopicsResponseData.class);
    }

    private static EnvelopeRequestData wrapped() {
        RequestHeader header = new RequestHeader(ApiKeys.CREATE_TOPICS, (short) 7, "test", 7);
        return Envelopes.wrap(header, new CreateTopicsRequestData(), Caller.self());
    }

    private static Errors errorOf(EnvelopeRequestData envelope) {
        return Errors.forCode(
                ask(ApiKeys.ENVELOPE, envelope, EnvelopeResponseData.class).errorCode());
    }

    private static <T extends ApiMessage> T ask(ApiKeys api, ApiMessage request, Class<T> answer) {
        RequestHeader header = new RequestHeader(api, api.latestVersion(), "test", 1);
        return answer.cast(TestNode.await(node.controlPlane.handleControllerRequest(header, request, CALLER)));
    }
}
