package io.highwater.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.wire.api.ApiSupport;
import io.highwater.wire.api.ListenerRole;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ErrorCodesTest {
    static Stream<ApiKeys> apis() {
        return Stream.of(ListenerRole.values())
                .flatMap(role -> ApiSupport.known(role).stream())
                .distinct();
    }

    @Test
    void eachElementOfAListCountsAndWhatHoldsItToo() {
        MetadataResponseTopic topic = new MetadataResponseTopic()
                .setName("t")
                .setErrorCode(Errors.INVALID_TOPIC_EXCEPTION.code())
                .setPartitions(List.of(partition(Errors.NONE), partition(Errors.LEADER_NOT_AVAILABLE)));
        MetadataResponseData answer = new MetadataResponseData();
        answer.topics().add(topic);

        assertThat(errors(answer))
                .containsExactlyInAnyOrder(Errors.INVALID_TOPIC_EXCEPTION, Errors.NONE, Errors.LEADER_NOT_AVAILABLE);
    }

    @Test
    void elementsThatAreThreeListsDeepAreFound() {
        OffsetFetchResponseData answer = new OffsetFetchResponseData()
                .setGroups(List.of(new OffsetFetchResponseData.OffsetFetchResponseGroup()
                        .setTopics(List.of(new OffsetFetchResponseData.OffsetFetchResponseTopics()
                                .setPartitions(List.of(new OffsetFetchResponseData.OffsetFetchResponsePartitions()
                                        .setErrorCode(Errors.UNKNOWN_TOPIC_ID.code())))))));

        assertThat(errors(answer)).contains(Errors.UNKNOWN_TOPIC_ID);
    }

    @Test
    void noErrorOfItsOwnIsNotToldBesideThoseOfTheElementsThatReplaceIt() {
        FindCoordinatorResponseData many = new FindCoordinatorResponseData()
                .setCoordinators(List.of(new FindCoordinatorResponseData.Coordinator()
                        .setErrorCode(Errors.COORDINATOR_NOT_AVAILABLE.code())));

        assertThat(errors(many)).containsExactly(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(errors(new FindCoordinatorResponseData())).containsExactly(Errors.NONE);
    }

    @Test
    void anAnswerWithOneErrorCountsOnce() {
        assertThat(errors(new HeartbeatResponseData().setErrorCode(Errors.REBALANCE_IN_PROGRESS.code())))
                .containsExactly(Errors.REBALANCE_IN_PROGRESS);
        assertThat(errors(new ApiVersionsResponseData())).containsExactly(Errors.NONE);
    }

    @Test
    void producedAndFetchedPartitionsCount() {
        ProduceResponseData produced = new ProduceResponseData();
        produced.responses()
                .add(new ProduceResponseData.TopicProduceResponse()
                        .setPartitionResponses(List.of(new ProduceResponseData.PartitionProduceResponse()
                                .setErrorCode(Errors.CORRUPT_MESSAGE.code()))));
        FetchResponseData fetched = new FetchResponseData()
                .setResponses(List.of(new FetchResponseData.FetchableTopicResponse()
                        .setPartitions(List.of(new FetchResponseData.PartitionData()
                                .setErrorCode(Errors.OFFSET_OUT_OF_RANGE.code())))));

        assertThat(errors(produced)).containsExactly(Errors.CORRUPT_MESSAGE);
        assertThat(errors(fetched)).containsExactly(Errors.NONE, Errors.OFFSET_OUT_OF_RANGE);
    }

    @ParameterizedTest
    @MethodSource("apis")
    void everyApiHasAPlaceForErrors(ApiKeys api) {
        assertThat(ErrorCodes.areIn(api.messageType.newResponse().getClass())).isTrue();
    }

    private static MetadataResponsePartition partition(Errors error) {
        return new MetadataResponsePartition().setErrorCode(error.code());
    }

    private static List<Errors> errors(ApiMessage answer) {
        List<Errors> errors = new ArrayList<>();
        ErrorCodes.of(answer, code -> errors.add(Errors.forCode(code)));
        return errors;
    }
}
