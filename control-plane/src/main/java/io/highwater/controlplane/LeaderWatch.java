package io.highwater.controlplane;

import org.apache.kafka.raft.BatchReader;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.raft.RaftClient;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.snapshot.SnapshotReader;

/**
 * Listens to the quorum on the loader's behalf and learns of new leaders on the way. The loader itself tells nobody before it
 * has caught up, which it cannot before this broker's registration found the leader.
 */
final class LeaderWatch implements RaftClient.Listener<ApiMessageAndVersion> {
    private final RaftClient.Listener<ApiMessageAndVersion> loader;
    private final Runnable onLeaderChange;

    LeaderWatch(RaftClient.Listener<ApiMessageAndVersion> loader, Runnable onLeaderChange) {
        this.loader = loader;
        this.onLeaderChange = onLeaderChange;
    }

    @Override
    public void handleCommit(BatchReader<ApiMessageAndVersion> reader) {
        loader.handleCommit(reader);
    }

    @Override
    public void handleLoadSnapshot(SnapshotReader<ApiMessageAndVersion> reader) {
        loader.handleLoadSnapshot(reader);
    }

    @Override
    public void handleLoadBootstrap(SnapshotReader<ApiMessageAndVersion> reader) {
        loader.handleLoadBootstrap(reader);
    }

    @Override
    public void handleLeaderChange(LeaderAndEpoch leader) {
        loader.handleLeaderChange(leader);
        onLeaderChange.run();
    }

    @Override
    public void beginShutdown() {
        loader.beginShutdown();
    }
}
