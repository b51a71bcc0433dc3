package io.highwater.broker.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.broker.api.TestCluster;
import io.highwater.broker.journal.IsrHistory;
import io.highwater.broker.journal.Journal;
import io.highwater.broker.journal.JournalEntry.Kind;
import io.highwater.broker.view.ClusterView;
import io.highwater.broker.view.EventCursor;
import io.highwater.broker.view.LocalView;
import io.highwater.broker.view.PartitionName;
import io.highwater.broker.view.Stepping;
import io.highwater.broker.view.TopicSettings;
import io.highwater.controlplane.ClusterImage;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LiveStreamTest {
    private long clockMs = 5;
    private final Journal journal = new Journal(() -> clockMs);
    private final Page page = new Page();
    private long nowMs = 100_000;
    private ClusterImage image = image(1);
    private boolean imageFails;

    private final ClusterView view = new ClusterView(
            new LocalView(1, "cluster", journal, new IsrHistory(() -> 5), Stepping.OFF),
            (broker, question) -> CompletableFuture.completedFuture(null),
            this::currentImage,
            () -> 1,
            new TopicSettings(name -> null),
            () -> 5,
            Runnable::run);

    private ClusterImage currentImage() {
        if (imageFails) {
            throw new IllegalStateException("no image");
        }
        return image;
    }

    @Test
    void onlyWhatHasChangedIsToldAndEverythingNowAndThen() {
        LiveStream stream = stream(new LiveStream.Wanted(
                List.of(new PartitionName("orders", 0), new PartitionName("orders", 1)),
                false,
                Since.NEWEST,
                false,
                false,
                5));

        stream.tick();
        assertThat(page.sent).hasSize(1);
        assertThat(page.last()).contains("\"partition\":0").contains("\"partition\":1");

        pass(stream, 200);
        assertThat(page.sent).as("nothing has happened").hasSize(1);

        image = image(2);
        pass(stream, 200);
        assertThat(page.sent).hasSize(2);

        pass(stream, 5_000);
        assertThat(page.sent).as("all, for who has missed something").hasSize(3);
    }

    @Test
    void whatCouldNotBeAskedIsAskedAgain() {
        LiveStream stream = stream(
                new LiveStream.Wanted(List.of(new PartitionName("orders", 0)), false, Since.NEWEST, false, false, 5));
        imageFails = true;
        assertThatThrownBy(stream::tick).hasMessage("no image");

        imageFails = false;
        pass(stream, 200);

        assertThat(page.last()).contains("\"partition\":0");
    }

    @Test
    void eventsAreToldOnce() {
        journal.add(Kind.LEADING, new TopicPartition("orders", 0), 1, "first");
        LiveStream stream = stream(events(Since.NEWEST));

        stream.tick();
        assertThat(page.last()).contains("first");
        journal.add(Kind.FENCED, new TopicPartition("orders", 0), 1, "second");
        pass(stream, 400);

        assertThat(page.last()).contains("second").doesNotContain("first");
        pass(stream, 400);
        assertThat(page.sent).hasSize(2);
    }

    @Test
    void whoComesBackIsToldWhatItHasMissedAndNothingTwice() {
        happens("first");
        LiveStream lost = stream(events(Since.NEWEST));
        lost.tick();
        EventCursor next =
                EventCursor.parse(new JsonObject(page.last().substring("events ".length())).getString("next"));
        lost.close();
        for (int i = 0; i < 300; i++) {
            happens("missed " + i + ".");
        }

        stream(events(new Since(next, 0))).tick();

        assertThat(page.last()).contains("missed 0.").contains("missed 299.").doesNotContain("first");
        assertThat(page.last()).contains("\"next\":\"1:301\"").contains("\"more\":false");
    }

    @Test
    void eventsSinceAMomentBeginWithTheOldest() {
        happens("first");
        clockMs = 9;
        for (int i = 0; i < 300; i++) {
            happens("later " + i + ".");
        }

        stream(events(new Since(null, 9))).tick();

        assertThat(page.last()).contains("later 0.").contains("later 299.").doesNotContain("first");
    }

    @Test
    void aReaderThatTakesNothingIsToldNothingAndGivenUpInTheEnd() {
        LiveStream stream = stream(
                new LiveStream.Wanted(List.of(new PartitionName("orders", 0)), false, Since.NEWEST, false, false, 5));
        stream.tick();
        page.busy = true;

        pass(stream, LiveStream.DEAF_MS);
        assertThat(page.sent).hasSize(1);
        assertThat(page.ended).isFalse();

        pass(stream, 1);
        assertThat(page.ended).isTrue();
    }

    @Test
    void aQuietStreamSaysThatItIsStillThere() {
        LiveStream stream = stream(events(Since.NEWEST));
        stream.tick();

        pass(stream, 10_001);

        assertThat(page.sent).as("where to go on, even if nothing has happened").hasSize(1);
        assertThat(page.signsOfLife).isEqualTo(1);
    }

    private void happens(String what) {
        journal.add(Kind.LEADING, new TopicPartition("orders", 0), 1, what);
    }

    private static LiveStream.Wanted events(Since since) {
        return new LiveStream.Wanted(List.of(), true, since, false, false, 5);
    }

    private LiveStream stream(LiveStream.Wanted wanted) {
        return new LiveStream(view, wanted, page, () -> nowMs);
    }

    private void pass(LiveStream stream, long ms) {
        nowMs += ms;
        stream.tick();
    }

    private static ClusterImage image(int replicas) {
        return ClusterImage.builder()
                .broker(TestCluster.broker(1, false, "PLAINTEXT"))
                .topic(replicas == 1 ? TestCluster.topic("orders", 2, 1) : TestCluster.topic("orders", 2, 1, 2))
                .build();
    }

    private static final class Page implements LiveStream.Sink {
        final List<String> sent = new ArrayList<>();
        boolean busy;
        boolean ended;
        int signsOfLife;

        String last() {
            return sent.get(sent.size() - 1);
        }

        @Override
        public boolean isBusy() {
            return busy;
        }

        @Override
        public void send(String event, Object data) {
            sent.add(event + " " + Json.write(data));
        }

        @Override
        public void stillHere() {
            signsOfLife++;
        }

        @Override
        public void end() {
            ended = true;
        }
    }
}
