package io.highwater.broker.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highwater.broker.partition.LeaderReport;
import io.highwater.broker.partition.ReplicaReport;
import io.highwater.replication.FollowerView;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReplicaReaderTest {
    private static final ReplicaReport FOLLOWING = new ReplicaReport(false, 1, 5, 0, 90, 90, 100, null);
    private static final ReplicaReport LEADING = leading(9_007_199_254_740_993L, 700, 400);

    @Test
    void whatWasWrittenIsRead() {
        ReplicaReader reader = new ReplicaReader(written());

        assertThat(reader.position()).isZero();
        assertThat(reader.replica()).returns(LEADING, LocalReplica::report).returns(null, LocalReplica::error);
        assertThat(reader.position()).isEqualTo(2);
        assertThat(reader.replica()).returns(FOLLOWING, LocalReplica::report);
        assertThat(reader.position()).isEqualTo(3);
        assertThat(reader.replica())
                .returns(null, LocalReplica::report)
                .returns("KAFKA_STORAGE_ERROR", LocalReplica::error);
        assertThat(reader.hasNext()).isFalse();
    }

    @Test
    void whatIsKnownIsNotTold() {
        assertThat(told(fingerprint(LEADING), LEADING)).isEmpty();
        assertThat(told(fingerprint(FOLLOWING), FOLLOWING)).isEmpty();
        assertThat(told(fingerprint(null), null)).isEmpty();
        assertThat(told(Fingerprint.UNKNOWN, FOLLOWING)).isNotEmpty();
    }

    @Test
    void whatIsNewsIsTold() {
        assertThat(told(fingerprint(LEADING), leading(9_007_199_254_740_994L, 700, 400)))
                .as("an offset")
                .isNotEmpty();
        assertThat(told(fingerprint(LEADING), leading(9_007_199_254_740_993L, 1_000, 400)))
                .as("a lag of another second")
                .isNotEmpty();
        assertThat(told(fingerprint(LEADING), leading(9_007_199_254_740_993L, 700, 5_000)))
                .as("that a follower is silent")
                .isNotEmpty();
        assertThat(told(fingerprint(FOLLOWING), null)).as("that it is gone").isNotEmpty();
    }

    @Test
    void theMerePassingOfTimeIsNot() {
        assertThat(told(fingerprint(LEADING), leading(9_007_199_254_740_993L, 999, 900)))
                .isEmpty();
    }

    @Test
    void everythingElseIsRefused() {
        String text = written();
        for (int length = 0; length < text.length(); length++) {
            String cut = text.substring(0, length);
            assertThatCode(() -> readAll(cut))
                    .satisfiesAnyOf(
                            failure -> assertThat(failure).isNull(),
                            failure -> assertThat(failure).isInstanceOf(IllegalArgumentException.class));
        }
        for (String wrong : List.of("x ", "0 0 1 1 5000000000 ", "0 0 1 1 5 0 90 90 100 2000000000 ", " ", "0 -")) {
            assertThatThrownBy(() -> readAll(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static String written() {
        ReplicaWriter writer = new ReplicaWriter();
        writer.add(0, Fingerprint.UNKNOWN, LEADING, Errors.NONE);
        writer.add(1, fingerprint(FOLLOWING), FOLLOWING, Errors.NONE);
        writer.add(2, Fingerprint.UNKNOWN, FOLLOWING, Errors.NONE);
        writer.add(3, Fingerprint.UNKNOWN, null, Errors.KAFKA_STORAGE_ERROR);
        return writer.text();
    }

    private static void readAll(String text) {
        ReplicaReader reader = new ReplicaReader(text);
        while (reader.hasNext()) {
            reader.position();
            reader.replica();
        }
    }

    private static String told(int known, @Nullable ReplicaReport report) {
        ReplicaWriter writer = new ReplicaWriter();
        writer.add(0, known, report, report == null ? Errors.KAFKA_STORAGE_ERROR : Errors.NONE);
        return writer.text();
    }

    private static int fingerprint(@Nullable ReplicaReport report) {
        ReplicaReader reader = new ReplicaReader(told(Fingerprint.UNKNOWN, report));
        reader.position();
        return reader.replica().fingerprint();
    }

    private static ReplicaReport leading(long logEnd, long lagMs, long silentMs) {
        LeaderReport leads = new LeaderReport(
                4,
                List.of(1, 2),
                2,
                List.of(new FollowerView(2, 0, 90, lagMs, silentMs), new FollowerView(3, -1, -1, -1, -1)),
                new LeaderReport.Pending(List.of(1), silentMs),
                List.of(new LeaderReport.WaitingWrite(5, 6, 130, List.of(2))));
        return new ReplicaReport(true, 1, 5, 0, 90, 90, logEnd, leads);
    }
}
