package io.highwater.broker.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StopRequestTest {
    private final StopRequest request = new StopRequest();

    @Test
    @Timeout(10)
    void aSignalEndsItWell() throws InterruptedException {
        request.bySignal();

        request.await();
        assertThat(request.exitCode()).isZero();
    }

    @Test
    @Timeout(10)
    void aFaultEndsItBadly() throws InterruptedException {
        request.byFault("the metadata log cannot be written", null);

        request.await();
        assertThat(request.exitCode()).isEqualTo(1);
    }

    @Test
    void whatHappensDuringTheStopDoesNotChangeItsReason() {
        request.bySignal();
        request.byFault("a controller went away", null);

        assertThat(request.isAsked()).isTrue();
        assertThat(request.exitCode()).isZero();
    }
}
