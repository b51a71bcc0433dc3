package io.highwater.replication.simulation;

import io.highwater.replication.InSyncReplicasProposal;
import io.highwater.replication.InSyncReplicasProposal.Cause;
import io.highwater.replication.simulation.Image.Registration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sees everything and knows what is true: which records are committed, who has died with a copy of them, and so whether they
 * may be lost. Takes no part in what happens; {@link Invariant}s judge by it after every event.
 */
final class History {
    /** A leader that has not given a follower up for so long need not remember that it has. */
    private static final int FORGOTTEN_AFTER_LAGS = 10;

    private final Cluster cluster;

    /** All that was ever committed and has not been lost by permission, from offset 0. */
    final List<Entry> committed = new ArrayList<>();

    /** Which record an epoch and an offset stand for, and who wrote in an epoch. */
    final Map<Long, Entry> written = new HashMap<>();

    final Map<Integer, Integer> writers = new HashMap<>();

    /** Per reign, how far its leader had committed before this event. */
    final Map<Integer, Long> commitsBefore = new HashMap<>();

    /** Per idempotent producer, the number of its newest committed record. */
    final Map<String, Integer> newestSequences = new HashMap<>();

    // facts of the event just past

    final List<Append> appends = new ArrayList<>();
    final List<Ack> acks = new ArrayList<>();
    final List<Read> reads = new ArrayList<>();
    final List<Cut> cuts = new ArrayList<>();
    final List<Proposed> proposals = new ArrayList<>();
    final List<PartitionState> decisions = new ArrayList<>();

    @Nullable
    String loss;

    int committedBefore;

    // what may be lost

    private final Map<Integer, Death> deaths = new HashMap<>();
    private final TreeMap<Integer, Election> elections = new TreeMap<>();

    /** Brokers whose log holds records that were lost by permission, and from where on. */
    private final Map<Integer, Long> astray = new HashMap<>();

    /** Leaders of older epochs do not know yet that what they hold as committed is lost. */
    private int firstValidEpoch;

    private long lostFrom;

    /** The newest reign that has begun: who begins an older one now cannot know what has been committed since. */
    private int newestReign;

    private final Map<String, GivenUp> givenUp = new HashMap<>();

    private int permittedLosses;
    private int acknowledged;

    record Append(Broker broker, long offset, Entry entry, boolean asLeader) {}

    record Ack(Produce request, long baseOffset) {}

    record Read(Broker server, long offset, Entry entry, long highWatermark) {}

    record Cut(Broker broker, long offset, List<Entry> records) {}

    record Proposed(Broker leader, InSyncReplicasProposal proposal) {}

    /** How often the leader of one reign has given up a disconnected follower, and when last, by its clock. */
    record GivenUp(int times, long atMs) {}

    /** A broker stopped without order, and held everything below {@code upTo}. */
    private record Death(long brokerEpoch, long upTo) {}

    /** What the leader of one reign may lack: anything, or what lies below {@code mayLackBelow}. */
    private record Election(boolean unclean, long mayLackBelow) {}

    private static final Election CLEAN = new Election(false, 0);

    History(Cluster cluster) {
        this.cluster = cluster;
    }

    // what happens

    void onAppended(Broker broker, long offset, Entry entry, boolean asLeader) {
        appends.add(new Append(broker, offset, entry, asLeader));
    }

    void onAnswered(Broker leader, Produce request, Produced produced) {
        if (request.acks() == -1 && produced.isGood() && isValid(leader)) {
            acks.add(new Ack(request, produced.baseOffset()));
            acknowledged++;
        }
    }

    void onRead(Broker server, long offset, Fetched fetched) {
        if (isValid(server) && !astray.containsKey(server.id)) {
            for (int i = 0; i < fetched.records().size(); i++) {
                reads.add(new Read(
                        server,
                        offset + i,
                        fetched.records().get(i),
                        fetched.answer().highWatermark()));
            }
        }
    }

    /** What its leader has deleted, a follower may drop in any way. */
    void onTruncating(Broker broker, int leaderId, long offset) {
        SimulatedLog log = broker.log();
        long leaderStart = leaderId == -1 ? 0 : cluster.broker(leaderId).log().logStartOffset();
        long from = Math.max(offset, Math.max(leaderStart, log.logStartOffset()));
        cuts.add(new Cut(broker, from, log.read(from, log.logEndOffset(), Integer.MAX_VALUE)));
    }

    void onProposed(Broker leader, InSyncReplicasProposal proposal) {
        proposals.add(new Proposed(leader, proposal));
    }

    void onDied(Broker broker) {
        writeOff(broker, broker.brokerEpoch());
    }

    /** What {@code broker} holds does not count any more, until it is in sync again under a newer registration. */
    private void writeOff(Broker broker, long brokerEpoch) {
        long same = sameAsCommitted(broker);
        long upTo = same == committed.size() ? broker.log().logEndOffset() : same;
        deaths.merge(
                broker.id,
                new Death(brokerEpoch, upTo),
                (older, newer) ->
                        new Death(Math.max(older.brokerEpoch, newer.brokerEpoch), Math.max(older.upTo, newer.upTo)));
    }

    void onDecided(PartitionState before, PartitionState after, Map<Integer, Registration> brokers) {
        decisions.add(after);
        if (after.leaderEpoch() != before.leaderEpoch() && after.leader() != -1) {
            // Who was chosen before and has not begun to lead passes on what it may lack.
            Election inherited = unjudged(after.leaderEpoch());
            elections.put(
                    after.leaderEpoch(),
                    new Election(
                            after.unclean() || inherited.unclean, Math.max(mayBeLostBelow(), inherited.mayLackBelow)));
        }
        if (after.unclean() && after.leaderEpoch() != before.leaderEpoch()) {
            cluster.brokers.stream()
                    .filter(broker -> broker.id != after.leader())
                    .forEach(broker -> writeOff(broker, broker.brokerEpoch() - 1));
        }
        for (int member : after.inSync()) {
            Death death = deaths.get(member);
            if (death != null && brokers.getOrDefault(member, Image.UNKNOWN).epoch() > death.brokerEpoch) {
                deaths.remove(member);
            }
        }
    }

    /** A broker takes up the lead: whatever it lacks now is lost. */
    void onLeading(Broker broker, int epoch) {
        Election election = elections.getOrDefault(epoch, CLEAN);
        long same = sameAsCommitted(broker);
        boolean overtaken = epoch < newestReign;
        newestReign = Math.max(newestReign, epoch);
        if (overtaken) {
            return;
        }
        if (election.unclean) {
            lose(same, epoch, broker);
            // What such a leader holds as committed is so from now on, with as few copies as there are.
            observe();
            committedBefore = committed.size();
            committed.forEach(this::count);
            // Who was written off for it is a copy that had all that and died.
            deaths.replaceAll((id, death) ->
                    id == broker.id ? death : new Death(death.brokerEpoch, Math.max(death.upTo, committed.size())));
        } else if (committed.size() <= election.mayLackBelow
                && (same < committed.size() || broker.log().logEndOffset() < election.mayLackBelow)) {
            // Lost is also what an older leader, who does not know yet, will find committed by copies that have died.
            lose(same, epoch, broker);
        } else if (same < committed.size()) {
            loss = broker.id + " leads in epoch " + epoch + " without "
                    + committed.subList((int) same, committed.size()) + "; only what lies below "
                    + election.mayLackBelow + " may be lost";
        }
    }

    private void lose(long from, int epoch, Broker leader) {
        if (from < committed.size()) {
            cluster.say("-- permitted loss: committed records from %d on", from);
            permittedLosses++;
        }
        committed.subList((int) from, committed.size()).clear();
        committedBefore = Math.min(committedBefore, committed.size());
        firstValidEpoch = Math.max(firstValidEpoch, epoch);
        lostFrom = from;
        for (Broker broker : cluster.brokers) {
            broker.log().distrust(from);
            if (broker != leader && broker.log().logEndOffset() > from) {
                astray.put(broker.id, from);
            }
        }
        newestSequences.clear();
        committed.forEach(this::count);
    }

    // what follows from it

    /** To be called first after every event: what valid leaders hold as committed is committed. */
    void observe() {
        for (Broker broker : cluster.brokers) {
            if (!isValid(broker)) {
                astray.putIfAbsent(broker.id, lostFrom);
            }
        }
        astray.entrySet().removeIf(lost -> isBack(cluster.broker(lost.getKey()), lost.getValue()));
        for (Broker broker : cluster.brokers) {
            if (broker.isUp() && broker.leading() != null && isValid(broker)) {
                SimulatedLog log = broker.log();
                while (committed.size() < log.logStartOffset()) {
                    committed.add(Entry.DELETED);
                }
                for (long offset = committed.size(); offset < broker.highWatermark() && log.has(offset); offset++) {
                    committed.add(log.get(offset));
                }
            }
        }
    }

    private boolean isBack(Broker broker, long lostFrom) {
        boolean knowsOfTheLoss = broker.log().logEndOffset() <= lostFrom || (broker.isUp() && isValid(broker));
        return knowsOfTheLoss && broker.highWatermark() <= broker.log().sameAs(committed);
    }

    /** To be called last after every event. */
    void endEvent() {
        for (Append append : appends) {
            written.put(key(append.entry, append.offset), append.entry);
            if (append.asLeader) {
                writers.put(append.entry.leaderEpoch(), append.broker.id);
            }
        }
        for (int offset = committedBefore; offset < committed.size(); offset++) {
            count(committed.get(offset));
        }
        committedBefore = committed.size();
        for (Broker broker : cluster.brokers) {
            if (broker.isUp() && broker.leading() != null) {
                commitsBefore.put(broker.leaderEpoch(), broker.highWatermark());
            }
        }
        for (Proposed proposed : proposals) {
            if (proposed.proposal.cause() == Cause.DISCONNECTED) {
                for (int follower : proposed.proposal.replicas()) {
                    GivenUp before = givenUp(proposed.leader, follower);
                    long nowMs = proposed.leader.clockMs();
                    boolean forgotten = nowMs - before.atMs > FORGOTTEN_AFTER_LAGS * cluster.settings.maxLagMs();
                    givenUp.put(key(proposed.leader, follower), new GivenUp(forgotten ? 1 : before.times + 1, nowMs));
                }
            }
        }
        appends.clear();
        acks.clear();
        reads.clear();
        cuts.clear();
        proposals.clear();
        decisions.clear();
    }

    private void count(Entry entry) {
        newestSequences.put(entry.producer(), entry.sequence());
    }

    GivenUp givenUp(Broker leader, int follower) {
        return givenUp.getOrDefault(key(leader, follower), new GivenUp(0, 0));
    }

    private static String key(Broker leader, int follower) {
        return leader.id + " " + leader.life() + " " + leader.leaderEpoch() + " " + follower;
    }

    static long key(Entry entry, long offset) {
        return ((long) entry.leaderEpoch() << 32) | offset;
    }

    private long sameAsCommitted(Broker broker) {
        return Math.min(broker.log().sameAs(committed), committed.size());
    }

    /** Whether {@code broker} had a copy of what lies at {@code offset} and died with it. */
    boolean diedWith(Broker broker, long offset) {
        Death death = deaths.get(broker.id);
        return death != null && death.upTo > offset;
    }

    /** Whether this member of the in-sync replicas is known to be dead, although the controller may not know it. */
    boolean isDead(int brokerId) {
        return deaths.containsKey(brokerId);
    }

    /** Whether whoever was elected last may lack committed records, but has not shown yet what it has. */
    boolean isUnjudged(PartitionState state) {
        Election election = unjudged(state.leaderEpoch());
        return election.unclean || committed.size() <= election.mayLackBelow;
    }

    private Election unjudged(int upToEpoch) {
        Map.Entry<Integer, Election> last = elections.floorEntry(upToEpoch);
        return last == null || last.getKey() <= newestReign ? CLEAN : last.getValue();
    }

    /** Whether a broker still acts on what it knew before a loss. */
    boolean isValid(Broker broker) {
        return broker.leaderEpoch() >= firstValidEpoch;
    }

    boolean isAstray(Broker broker) {
        return astray.containsKey(broker.id);
    }

    /** Where a reader that cannot go on at {@code position} finds records. */
    long readableFrom(long position) {
        int leader = cluster.controller.image().partition().leader();
        long start = leader == -1 ? 0 : cluster.broker(leader).log().logStartOffset();
        return Math.min(Math.max(position, start), committed.size());
    }

    /** Everything below may be deleted: no idempotent producer's newest record is there. */
    long oldestNeeded() {
        Map<String, Integer> newest = new HashMap<>();
        for (int offset = 0; offset < committed.size(); offset++) {
            if (committed.get(offset).producer().startsWith(Simulation.IDEMPOTENT)) {
                newest.put(committed.get(offset).producer(), offset);
            }
        }
        return newest.values().stream().min(Integer::compare).orElse(0);
    }

    /** As many copies as the minimum must have died before anything may be lost, and each of them must have held it. */
    private long mayBeLostBelow() {
        List<Long> upTos = new ArrayList<>();
        deaths.values().forEach(death -> upTos.add(death.upTo));
        upTos.sort((a, b) -> Long.compare(b, a));
        int needed = cluster.minInSync();
        return upTos.size() < needed ? 0 : upTos.get(needed - 1);
    }

    int permittedLosses() {
        return permittedLosses;
    }

    int acknowledged() {
        return acknowledged;
    }
}
