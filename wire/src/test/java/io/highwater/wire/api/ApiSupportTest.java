package io.highwater.wire.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Set;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ApiSupportTest {
    /** On the broker listener, but not answered yet. A line that leaves this list enters the README's compatibility table. */
    private static final Set<ApiKeys> NOT_YET = EnumSet.of(
            ApiKeys.ADD_PARTITIONS_TO_TXN,
            ApiKeys.ADD_OFFSETS_TO_TXN,
            ApiKeys.END_TXN,
            ApiKeys.WRITE_TXN_MARKERS,
            ApiKeys.TXN_OFFSET_COMMIT,
            ApiKeys.DESCRIBE_TRANSACTIONS,
            ApiKeys.LIST_TRANSACTIONS,
            ApiKeys.SASL_HANDSHAKE,
            ApiKeys.SASL_AUTHENTICATE,
            ApiKeys.DESCRIBE_ACLS,
            ApiKeys.CREATE_ACLS,
            ApiKeys.DELETE_ACLS,
            ApiKeys.CREATE_DELEGATION_TOKEN,
            ApiKeys.RENEW_DELEGATION_TOKEN,
            ApiKeys.EXPIRE_DELEGATION_TOKEN,
            ApiKeys.DESCRIBE_DELEGATION_TOKEN,
            ApiKeys.DESCRIBE_USER_SCRAM_CREDENTIALS,
            ApiKeys.ALTER_USER_SCRAM_CREDENTIALS,
            ApiKeys.DESCRIBE_CLIENT_QUOTAS,
            ApiKeys.ALTER_CLIENT_QUOTAS,
            ApiKeys.GET_TELEMETRY_SUBSCRIPTIONS,
            ApiKeys.PUSH_TELEMETRY,
            ApiKeys.SHARE_GROUP_HEARTBEAT,
            ApiKeys.SHARE_GROUP_DESCRIBE,
            ApiKeys.SHARE_FETCH,
            ApiKeys.SHARE_ACKNOWLEDGE,
            ApiKeys.INITIALIZE_SHARE_GROUP_STATE,
            ApiKeys.READ_SHARE_GROUP_STATE,
            ApiKeys.WRITE_SHARE_GROUP_STATE,
            ApiKeys.DELETE_SHARE_GROUP_STATE,
            ApiKeys.READ_SHARE_GROUP_STATE_SUMMARY,
            ApiKeys.DESCRIBE_SHARE_GROUP_OFFSETS,
            ApiKeys.ALTER_SHARE_GROUP_OFFSETS,
            ApiKeys.DELETE_SHARE_GROUP_OFFSETS,
            ApiKeys.STREAMS_GROUP_HEARTBEAT,
            ApiKeys.STREAMS_GROUP_DESCRIBE,
            ApiKeys.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE);

    @Test
    void theBrokerListenerKnowsWhatKafkaKnowsButForWhatIsNotBuiltYet() {
        Set<ApiKeys> expected = EnumSet.copyOf(ApiKeys.apisForListener(ListenerType.BROKER));
        expected.removeAll(NOT_YET);

        assertThat(ApiSupport.known(ListenerRole.BROKER)).containsExactlyElementsOf(expected);
    }

    @Test
    void theControllerListenerKnowsWhatKafkaKnows() {
        assertThat(ApiSupport.known(ListenerRole.CONTROLLER))
                .containsExactlyElementsOf(EnumSet.copyOf(ApiKeys.apisForListener(ListenerType.CONTROLLER)));
    }

    @ParameterizedTest
    @EnumSource
    void versionsAreThoseThatKafkaAdvertises(ListenerRole role) {
        ListenerType type = ListenerType.valueOf(role.name());
        ApiSupport all = ApiSupport.of(role, ApiSupport.known(role));

        assertThat(all.advertised())
                .allSatisfy(
                        version -> assertThat(ApiKeys.forId(version.apiKey()).toApiVersionForApiResponse(false, type))
                                .contains(version));
    }

    @Test
    void produceIsAdvertisedFromVersionZeroForOldClientsAndAnsweredFromThree() {
        ApiSupport support = ApiSupport.of(ListenerRole.BROKER, EnumSet.of(ApiKeys.PRODUCE));

        assertThat(support.advertised())
                .containsExactly(new ApiVersion()
                        .setApiKey(ApiKeys.PRODUCE.id)
                        .setMinVersion((short) 0)
                        .setMaxVersion((short) 13));
        assertThat(support.supports(ApiKeys.PRODUCE, (short) 2)).isFalse();
        assertThat(support.supports(ApiKeys.PRODUCE, (short) 3)).isTrue();
        assertThat(support.supports(ApiKeys.PRODUCE, (short) 13)).isTrue();
        assertThat(support.supports(ApiKeys.PRODUCE, (short) 14)).isFalse();
    }

    @Test
    void whatHasNoHandlerIsNeitherAdvertisedNorSupported() {
        ApiSupport support = ApiSupport.of(ListenerRole.BROKER, EnumSet.of(ApiKeys.METADATA));

        assertThat(support.advertised()).extracting(ApiVersion::apiKey).containsExactly(ApiKeys.METADATA.id);
        assertThat(support.supports(ApiKeys.FETCH, (short) 4)).isFalse();
        assertThat(support.versions(ApiKeys.FETCH)).isNull();
    }

    @Test
    void aHandlerForAnApiThatIsNotInTheTableIsOurMistake() {
        assertThatThrownBy(() -> ApiSupport.of(ListenerRole.BROKER, EnumSet.of(ApiKeys.VOTE)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("VOTE")
                .hasMessageContaining("BROKER");
    }
}
