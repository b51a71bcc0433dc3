package io.highwater.broker.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.wire.api.ApiSupport;
import io.highwater.wire.api.ListenerRole;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FailedRequestsTest {
    private final FailedRequests failed = new FailedRequests();

    static Stream<ApiKeys> clientApis() {
        Set<ApiKeys> known = ApiSupport.known(ListenerRole.BROKER);
        return known.stream();
    }

    @ParameterizedTest
    @MethodSource("clientApis")
    void everyApiHasAnAnswerOfItsOwn(ApiKeys api) throws UnanswerableException {
        ApiMessage body = api.messageType.newRequest();
        if (body instanceof ProduceRequestData produce) {
            produce.setAcks((short) 1);
        }

        ApiMessage answer = FailedRequests.answerOf(
                Requests.request(api, api.latestVersion(), body), new IllegalStateException("a bug"));

        assertThat(answer).hasSameClassAs(api.messageType.newResponse());
    }

    @Test
    void aBugIsAnUnknownServerErrorAndAFailureThatHasANameKeepsIt() throws UnanswerableException {
        assertThat(heartbeatAfter(new IllegalStateException("a bug"))).isEqualTo(Errors.UNKNOWN_SERVER_ERROR);
        assertThat(heartbeatAfter(new CompletionException(new TimeoutException("late"))))
                .isEqualTo(Errors.REQUEST_TIMED_OUT);
    }

    @Test
    void aProducerThatWantsNoAnswerIsCutOff() {
        ProduceRequestData body = new ProduceRequestData().setAcks((short) 0);

        assertThatThrownBy(() ->
                        failed.answer(Requests.request(ApiKeys.PRODUCE, 13, body), new IllegalStateException("a bug")))
                .isInstanceOf(UnanswerableException.class)
                .hasMessageContaining("a bug");
    }

    @Test
    void aControllerThatIsOlderThanThisBrokerMakesTheClientAskForVersionsAgain() {
        assertThatThrownBy(() -> heartbeatAfter(new UnsupportedVersionException("the controller is older")))
                .isInstanceOf(UnanswerableException.class);
    }

    @Test
    void oneFailureOfAnApiIsLoggedInACertainTime() {
        long nowNanos = System.nanoTime();

        assertThat(failed.mayLog(ApiKeys.FETCH, nowNanos)).isTrue();
        assertThat(failed.mayLog(ApiKeys.FETCH, nowNanos + FailedRequests.QUIET_NANOS - 1))
                .isFalse();
        assertThat(failed.mayLog(ApiKeys.PRODUCE, nowNanos)).isTrue();
        assertThat(failed.mayLog(ApiKeys.FETCH, nowNanos + FailedRequests.QUIET_NANOS))
                .isTrue();
    }

    private Errors heartbeatAfter(Throwable failure) throws UnanswerableException {
        ApiMessage answer = failed.answer(Requests.request(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData()), failure);
        return Errors.forCode(((HeartbeatResponseData) answer).errorCode());
    }
}
