package io.highwater.broker.fencing;

import static io.highwater.broker.peer.ListenerProbe.Outcome.CONNECTED;
import static io.highwater.broker.peer.ListenerProbe.Outcome.REFUSED;
import static io.highwater.broker.peer.ListenerProbe.Outcome.UNCLEAR;
import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.fencing.FencingEffect.Dial;
import io.highwater.broker.fencing.FencingEffect.Drop;
import io.highwater.broker.fencing.FencingEffect.Fence;
import io.highwater.broker.peer.ListenerProbe.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SuspicionsTest {
    private static final int SELF = 1;
    private static final int BROKER = 2;
    private static final long EPOCH = 70;
    private static final long GRACE_MS = 200;
    private static final FencingSettings SETTINGS = new FencingSettings(SELF, "BROKER", GRACE_MS, 2_000, 9_000);

    private final Suspicions suspicions = new Suspicions(SETTINGS);
    private final Map<Integer, Long> unfenced = new HashMap<>(Map.of(SELF, 60L, BROKER, EPOCH));
    private boolean active = true;
    private long nowMs = 1_000_000;

    /** The broker has been reached and heard, and nobody suspects it. */
    @BeforeEach
    void allIsWell() {
        active = false;
        assertThat(dialed(CONNECTED)).isEmpty();
        active = true;
        only(Drop.class, dialed(CONNECTED));
        suspicions.onHeartbeat(BROKER, EPOCH, "connection", nowMs);
        assertThat(look()).isEmpty();
    }

    @Test
    void aBrokerThatHangsUpAndRefusesTwiceIsFenced() {
        pass(700);
        suspicions.onConnectionEnded(BROKER, "connection", nowMs);

        assertThat(suspicions.onDialed(only(Dial.class, look()), REFUSED, nowMs))
                .isEmpty();
        assertThat(suspicions.nextDialMs()).isEqualTo(nowMs + GRACE_MS);
        pass(GRACE_MS - 1);
        assertThat(look()).as("before its grace is over").isEmpty();
        pass(1);
        List<FencingEffect> verdict = suspicions.onDialed(only(Dial.class, look()), REFUSED, nowMs);

        assertThat(verdict)
                .containsExactly(new Fence(BROKER, EPOCH, SuspicionCause.CONNECTION_ENDED, GRACE_MS, 9_000 - 900));
        assertThat(look()).as("once is enough").isEmpty();
    }

    @Test
    void aListenerThatClosesAfterTheConnectionIsFoundOut() {
        suspicions.onConnectionEnded(BROKER, "connection", nowMs);

        assertThat(dialed(CONNECTED)).isEmpty();
        pass(GRACE_MS);
        assertThat(dialed(UNCLEAR)).isEmpty();
        pass(GRACE_MS);
        assertThat(dialed(REFUSED)).isEmpty();
        pass(GRACE_MS);
        assertThat(dialed(REFUSED)).hasOnlyElementsOfType(Fence.class).hasSize(1);
    }

    @Test
    void aBrokerThatOnlyLostItsConnectionIsLeftAlone() {
        suspicions.onConnectionEnded(BROKER, "connection", nowMs);

        for (int dial = 1; dial < Suspicions.MAX_DIALS; dial++) {
            assertThat(dialed(CONNECTED)).isEmpty();
            pass(GRACE_MS);
        }
        only(Drop.class, dialed(CONNECTED));
        pass(GRACE_MS);
        assertThat(look()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Outcome.class,
            names = {"CONNECTED", "UNCLEAR"})
    void oneRefusalIsNotEnough(Outcome second) {
        pass(3_001);

        assertThat(dialed(REFUSED)).isEmpty();
        pass(GRACE_MS);
        only(Drop.class, dialed(second));
    }

    @Test
    void refusalsCountInARowOnly() {
        suspicions.onConnectionEnded(BROKER, "connection", nowMs);

        for (Outcome outcome : List.of(REFUSED, CONNECTED, REFUSED, UNCLEAR, REFUSED)) {
            assertThat(dialed(outcome)).isEmpty();
            pass(GRACE_MS);
        }
        only(Fence.class, dialed(REFUSED));
    }

    @Test
    void aHeartbeatBetweenTheRefusalsClearsIt() {
        suspicions.onConnectionEnded(BROKER, "connection", nowMs);
        dialed(REFUSED);
        pass(GRACE_MS);
        Dial second = only(Dial.class, look());

        only(Drop.class, suspicions.onHeartbeat(BROKER, EPOCH, "another", nowMs));

        assertThat(suspicions.onDialed(second, REFUSED, nowMs)).as("too late").isEmpty();
        assertThat(look()).isEmpty();
    }

    @Test
    void theEndOfAnOldConnectionIsNoNews() {
        suspicions.onHeartbeat(BROKER, EPOCH, "another", nowMs);
        suspicions.onConnectionEnded(BROKER, "connection", nowMs);

        assertThat(look()).isEmpty();
    }

    @Test
    void aBrokerThatMissesAHeartbeatIsLookedAt() {
        pass(3_000);
        assertThat(look()).isEmpty();
        pass(1);

        assertThat(dialed(REFUSED)).isEmpty();
        pass(GRACE_MS);
        Fence fence = only(Fence.class, dialed(REFUSED));
        assertThat(fence.cause()).isEqualTo(SuspicionCause.SILENT);
        assertThat(fence.sessionLeftMs()).isEqualTo(9_000 - 3_201);
    }

    @Test
    void aSilentBrokerThatIsThereIsLookedAtAgainAfterAnotherSilence() {
        pass(3_001);
        only(Drop.class, dialed(CONNECTED));
        pass(3_000);
        assertThat(look()).isEmpty();
        pass(1);
        only(Dial.class, look());
    }

    @Test
    void whoTakesOverLooksAtEveryBrokerAtOnce() {
        active = false;
        look();
        active = true;

        assertThat(dialed(REFUSED)).isEmpty();
        pass(GRACE_MS);
        assertThat(only(Fence.class, dialed(REFUSED)).cause()).isEqualTo(SuspicionCause.TOOK_OVER);
    }

    @Test
    void whoIsNotTheActiveControllerSuspectsNobody() {
        suspicions.onConnectionEnded(BROKER, "connection", nowMs);
        dialed(REFUSED);
        active = false;
        pass(GRACE_MS);
        assertThat(look()).isEmpty();

        suspicions.onHeartbeat(BROKER, EPOCH, "another", nowMs);
        suspicions.onConnectionEnded(BROKER, "another", nowMs);
        pass(60_000);
        assertThat(look()).isEmpty();
    }

    @Test
    void aBrokerThatIsFencedAlreadyIsNobodysBusiness() {
        suspicions.onConnectionEnded(BROKER, "connection", nowMs);
        dialed(REFUSED);
        unfenced.remove(BROKER);
        pass(GRACE_MS);

        only(Drop.class, look());
    }

    @Test
    void aRefusalOfAListenerThatNeverTookAConnectionMeansNothing() {
        unfenced.put(BROKER, EPOCH + 1);
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThat(dialed(REFUSED)).isEmpty();
            suspicions.onHeartbeat(BROKER, EPOCH + 1, "behind a wall", nowMs);
            suspicions.onConnectionEnded(BROKER, "behind a wall", nowMs);
            assertThat(look()).isEmpty();
            pass(Suspicions.ACQUAINTANCE_MS);
        }
    }

    @Test
    void whoWasFencedByMistakeMustBeReachedAgainBeforeARefusalCounts() {
        fence();
        suspicions.onHeartbeat(BROKER, EPOCH, "connection", nowMs);
        suspicions.onConnectionEnded(BROKER, "connection", nowMs);

        Dial acquaintance = only(Dial.class, look());
        assertThat(suspicions.onDialed(acquaintance, REFUSED, nowMs)).isEmpty();
        pass(GRACE_MS);
        assertThat(look()).isEmpty();
    }

    @Test
    void aRegistrationThatWasFencedByMistakeThreeTimesIsLeftToItsSession() {
        for (int i = 0; i < Suspicions.MAX_MISTAKES; i++) {
            fence();
            suspicions.onHeartbeat(BROKER, EPOCH, "connection", nowMs);
            suspicions.onDialed(only(Dial.class, look()), CONNECTED, nowMs);
        }

        suspicions.onConnectionEnded(BROKER, "connection", nowMs);
        assertThat(look()).isEmpty();
    }

    @Test
    void aFencingThatFailedIsTriedAgainAfterAnotherSilence() {
        Fence fence = fence();
        suspicions.onFencingFailed(fence);

        pass(3_001);
        only(Dial.class, look());
    }

    @Test
    void onlyEightAreDialedAtATime() {
        for (int id = 10; id < 30; id++) {
            unfenced.put(id, 500L + id);
        }

        List<FencingEffect> first = look();
        assertThat(first).hasSize(Suspicions.MAX_DIALS_AT_ONCE);
        assertThat(look()).isEmpty();
        suspicions.onDialed((Dial) first.get(0), UNCLEAR, nowMs);
        assertThat(look()).hasSize(1);
    }

    /** It would look again and again for nothing, as fast as its timer goes. */
    @Test
    void whoWaitsForAnothersDialIsNotDueBeforeThatIsBack() {
        for (int id = 10; id < 10 + Suspicions.MAX_DIALS_AT_ONCE; id++) {
            unfenced.put(id, 500L + id);
        }
        List<FencingEffect> others = look();
        suspicions.onConnectionEnded(BROKER, "connection", nowMs);

        assertThat(look()).isEmpty();
        assertThat(suspicions.nextDialMs()).isEqualTo(Suspicions.NEVER);

        suspicions.onDialed((Dial) others.get(0), UNCLEAR, nowMs);
        assertThat(suspicions.nextDialMs()).isEqualTo(nowMs);
    }

    @Test
    void nobodySuspectsItself() {
        suspicions.onHeartbeat(SELF, 60, "own", nowMs);
        suspicions.onConnectionEnded(SELF, "own", nowMs);

        assertThat(look()).isEmpty();
    }

    /** It hangs up and refuses. */
    private Fence fence() {
        suspicions.onHeartbeat(BROKER, EPOCH, "connection", nowMs);
        suspicions.onConnectionEnded(BROKER, "connection", nowMs);
        dialed(REFUSED);
        pass(GRACE_MS);
        return only(Fence.class, dialed(REFUSED));
    }

    private List<FencingEffect> dialed(Outcome outcome) {
        return suspicions.onDialed(only(Dial.class, look()), outcome, nowMs);
    }

    private List<FencingEffect> look() {
        return new ArrayList<>(suspicions.onLook(active, unfenced, nowMs));
    }

    private void pass(long ms) {
        nowMs += ms;
    }

    private static <E> E only(Class<E> type, List<FencingEffect> effects) {
        assertThat(effects).hasSize(1).hasOnlyElementsOfType(type);
        return type.cast(effects.get(0));
    }
}
