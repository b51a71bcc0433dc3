package io.highwater.replication.simulation;

import io.highwater.replication.InSyncReplicasProposal;
import io.highwater.replication.InSyncReplicasProposal.Member;
import io.highwater.replication.ProposalAnswer;
import io.highwater.replication.simulation.Image.Registration;
import io.highwater.replication.simulation.Network.Channel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The quorum as one node that never forgets: registrations, fencing, elections, and compare-and-swap on the partition epoch.
 * Follows the controller of Kafka 4.4 with eligible leader replicas on.
 */
final class Controller extends Node {
    private final Map<Integer, Registration> brokers = new HashMap<>();
    private final Map<Integer, Long> lastHeartbeatMs = new HashMap<>();
    private PartitionState partition;
    private Image image;

    Controller(Cluster cluster, List<Integer> replicas) {
        super(0, cluster);
        partition = new PartitionState(-1, 0, 0, replicas, replicas, List.of(), -1, false);
        image = new Image(0, partition, Map.of());
        boot();
    }

    /** The answer to a proposal: the state if it was agreed to. */
    record Verdict(@Nullable ProposalAnswer refused, PartitionState state) {}

    /** The answer to a heartbeat. */
    record Pulse(boolean mayStop) {}

    @Override
    String title() {
        return "controller";
    }

    Image image() {
        return image;
    }

    void start() {
        later(cluster.settings.heartbeatMs(), this::watch);
    }

    /**
     * A broker has started.
     *
     * @param lastCleanEpoch of the life that it knows to have ended in good order, -1 if it knows of none
     * @return null while its former life still has a session
     */
    @Nullable
    Image register(int id, int life, long lastCleanEpoch) {
        Registration former = brokers.get(id);
        if (former != null && former.life() != life && !former.fenced() && hasSession(id)) {
            return null;
        }
        if (former != null && former.life() == life) {
            return image;
        }
        brokers.put(id, new Registration(image.version() + 1, life, true, false));
        boolean clean = former == null || former.epoch() == lastCleanEpoch;
        if (!clean) {
            cluster.say("controller: %d comes back from an unclean stop", id);
        }
        change(former == null ? partition.inSync() : without(id), clean ? Set.of() : Set.of(id), false);
        publish();
        return image;
    }

    /** A broker lives, and knows the metadata of {@code version}. */
    @Nullable
    Pulse heartbeat(int id, long brokerEpoch, long version, boolean wantsToStop) {
        Registration known = brokers.get(id);
        if (known == null || known.epoch() != brokerEpoch) {
            return null;
        }
        lastHeartbeatMs.put(id, cluster.timeline.nowMs());
        if (wantsToStop && !known.stopping()) {
            brokers.put(id, new Registration(brokerEpoch, known.life(), known.fenced(), true));
            change(without(id), Set.of(), false);
            publish();
        } else if (known.fenced() && !wantsToStop && version >= brokerEpoch) {
            brokers.put(id, new Registration(brokerEpoch, known.life(), false, false));
            cluster.say("controller unfences %d", id);
            change(partition.inSync(), Set.of(), false);
            publish();
        }
        boolean mayStop = wantsToStop && partition.leader() != id && version == image.version();
        if (mayStop) {
            fence(id);
        }
        if (version < image.version()) {
            inform(id);
        }
        return new Pulse(mayStop);
    }

    /** A leader asks for other in-sync replicas. */
    Verdict alter(int id, long brokerEpoch, InSyncReplicasProposal proposal) {
        ProposalAnswer refused = judge(id, brokerEpoch, proposal);
        if (refused == null) {
            List<Integer> wanted = new ArrayList<>();
            proposal.members().forEach(member -> wanted.add(member.replicaId()));
            cluster.say("controller agrees with %d", id);
            change(wanted, Set.of(), false);
            publish();
        } else {
            cluster.say("controller does not agree with %d: %s", id, refused);
        }
        return new Verdict(refused, partition);
    }

    private @Nullable ProposalAnswer judge(int id, long brokerEpoch, InSyncReplicasProposal proposal) {
        if (brokers.getOrDefault(id, Image.UNKNOWN).epoch() != brokerEpoch) {
            return ProposalAnswer.UNDECIDED;
        }
        if (proposal.leaderEpoch() < partition.leaderEpoch()
                || partition.leader() != id
                || proposal.partitionEpoch() < partition.partitionEpoch()) {
            return ProposalAnswer.OVERTAKEN;
        }
        for (Member member : proposal.members()) {
            Registration known = brokers.getOrDefault(member.replicaId(), Image.UNKNOWN);
            if (!known.isActive() || (member.brokerEpoch() != -1 && member.brokerEpoch() != known.epoch())) {
                return ProposalAnswer.REJECTED;
            }
        }
        return null;
    }

    void fence(int id) {
        Registration known = brokers.get(id);
        if (known != null && !known.fenced()) {
            cluster.say("controller fences %d", id);
            brokers.put(id, new Registration(known.epoch(), known.life(), true, false));
            change(without(id), Set.of(), false);
            publish();
        }
    }

    /** Leadership goes back to the first replica, if that one may lead. */
    void preferFirst() {
        PartitionState before = partition;
        change(partition.inSync(), Set.of(), true);
        if (!partition.equals(before)) {
            publish();
        }
    }

    private void watch() {
        for (int id : partition.replicas()) {
            if (!hasSession(id)) {
                fence(id);
            }
        }
        if (partition.leader() == -1) {
            PartitionState before = partition;
            change(partition.inSync(), Set.of(), false);
            if (!partition.equals(before)) {
                publish();
            }
        }
        later(cluster.settings.heartbeatMs(), this::watch);
    }

    private boolean hasSession(int id) {
        long lastMs = lastHeartbeatMs.getOrDefault(id, Long.MIN_VALUE / 2);
        return cluster.timeline.nowMs() - lastMs <= cluster.settings.sessionMs();
    }

    private List<Integer> without(int id) {
        List<Integer> others = new ArrayList<>(partition.inSync());
        others.remove((Integer) id);
        return others;
    }

    private void change(List<Integer> wanted, Set<Integer> crashed, boolean preferFirst) {
        int minInSync =
                Math.min(cluster.settings.minInSync(), partition.replicas().size());
        PartitionState before = partition;
        partition = before.changed(
                wanted,
                crashed,
                id -> brokers.getOrDefault(id, Image.UNKNOWN).isActive(),
                minInSync,
                cluster.settings.unclean(),
                preferFirst);
        if (!partition.equals(before)) {
            cluster.say("controller: %s", partition);
            cluster.history.onDecided(before, partition, brokers);
        }
    }

    private void publish() {
        image = new Image(image.version() + 1, partition, Map.copyOf(brokers));
        partition.replicas().forEach(this::inform);
    }

    private void inform(int id) {
        Image news = image;
        Broker broker = cluster.broker(id);
        cluster.network.tell(this, broker, Channel.METADATA, () -> broker.onNews(news));
    }
}
