package io.highwater.broker.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highwater.broker.net.NetworkFixture.Call;
import io.highwater.wire.frame.LeasedRecords;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {
    private final NetworkFixture network = new NetworkFixture();
    private final AtomicInteger released = new AtomicInteger();

    @AfterEach
    void nothingIsLeft() throws IOException {
        network.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000, 60_000, 70_000, 1_000_000, 20_000_000})
    void recordsOfAnySizeArriveAsTheyWereSent(int sizeBytes) throws Exception {
        byte[] records = random(sizeBytes);
        WireClient client = network.connect();
        for (int i = 0; i < 3; i++) {
            client.send(i, Messages.produce(records), Messages.PRODUCE);

            Call call = network.nextCall();

            assertThat(Messages.records((ProduceRequestData) call.request().body()))
                    .isEqualTo(records);
            call.promise().complete(null);
        }
    }

    @Test
    void leasedRecordsOfAllKindsArriveAndAreGivenBack(@TempDir Path dir) throws Exception {
        byte[] bytes = random(3_000_000);
        Path path = Files.write(dir.resolve("segment"), bytes);
        WireClient client = network.connect();
        try (FileChannel file = FileChannel.open(path)) {
            client.send(1, new FetchRequestData(), Messages.FETCH);
            network.nextCall()
                    .promise()
                    .complete(Messages.fetch(
                            LeasedRecords.mapped(
                                    file.map(FileChannel.MapMode.READ_ONLY, 10, 500), released::incrementAndGet),
                            LeasedRecords.file(file, 0, bytes.length, released::incrementAndGet),
                            LeasedRecords.mapped(Messages.direct(bytes), released::incrementAndGet)));

            var answer = client.receive(1, ApiKeys.FETCH, Messages.FETCH);

            assertThat(Messages.records(answer).get(0)).isEqualTo(Arrays.copyOfRange(bytes, 10, 510));
            assertThat(Messages.records(answer).get(1)).isEqualTo(bytes);
            assertThat(Messages.records(answer).get(2)).isEqualTo(bytes);
            await().until(() -> released.get() == 3);
        }
    }

    @Test
    void aClientThatDoesNotReadIsNotReadFromAndLosesNothing() throws Exception {
        int requests = 200;
        byte[] bytes = random(400_000);
        WireClient client = network.connect();
        for (int i = 0; i < requests; i++) {
            client.send(i, new FetchRequestData(), Messages.FETCH);
        }
        AtomicInteger answered = new AtomicInteger();
        CompletableFuture<Void> answers = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < requests; i++) {
                network.awaitCall().promise().complete(fetch(bytes));
                answered.incrementAndGet();
            }
        });
        awaitStandstill(answered);
        // Between one and all: how many were taken in before the first answer filled the socket is a matter of timing.
        assertThat(answered).hasValueLessThan(requests);

        for (int i = 0; i < requests; i++) {
            assertThat(Messages.records(client.receive(i, ApiKeys.FETCH, Messages.FETCH))
                            .get(0))
                    .isEqualTo(bytes);
        }

        assertThat(answers).succeedsWithin(10, TimeUnit.SECONDS);
        await().until(() -> released.get() == requests);
    }

    @Test
    void aClientThatLeavesGivesEveryLeaseBack() throws Exception {
        WireClient client = network.connect();
        for (int i = 0; i < 3; i++) {
            client.send(i, new FetchRequestData(), Messages.FETCH);
        }
        Call first = network.nextCall();
        Call second = network.nextCall();
        Call third = network.nextCall();
        second.promise().complete(fetch(new byte[100])); // waits in line for the first

        client.close();
        await().until(() -> network.connections.open() == 0);
        first.promise().complete(fetch(new byte[100]));
        third.promise().complete(fetch(new byte[100]));

        await().until(() -> released.get() == 3);
    }

    @Test
    void aClientThatLeavesInTheMiddleOfAnAnswerGivesItsLeaseBack() throws Exception {
        WireClient client = network.connect();
        client.send(1, new FetchRequestData(), Messages.FETCH);
        network.nextCall().promise().complete(fetch(new byte[50_000_000]));
        client.send(2, new FetchRequestData(), Messages.FETCH);

        client.close();

        await().until(() -> released.get() == 1);
    }

    /** Waits until the count has not changed for a while. */
    private static void awaitStandstill(AtomicInteger count) {
        int[] last = {0};
        await().pollInterval(500, TimeUnit.MILLISECONDS).until(() -> {
            int before = last[0];
            last[0] = count.get();
            return before > 0 && before == last[0];
        });
    }

    private FetchResponseData fetch(byte[] bytes) {
        return Messages.fetch(LeasedRecords.mapped(Messages.direct(bytes), released::incrementAndGet));
    }

    private static byte[] random(int sizeBytes) {
        byte[] bytes = new byte[sizeBytes];
        new Random(sizeBytes).nextBytes(bytes);
        return bytes;
    }
}
