package io.highwater.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchSnapshotResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.UnalignedFileRecords;
import org.apache.kafka.common.record.internal.UnalignedMemoryRecords;

/**
 * The APIs of the metadata quorum itself, answered by the library on its own thread. Records that it answers from its file
 * are copied into memory before they leave that thread: the file may be cut later, and our network layer does not know the library's file records.
 */
final class QuorumRequests {
    /**
     * A follower that finds no leader asks again at once, thousands of times a second; so its answer takes a little. Less than the library's
     * own 20 ms backoff helps nobody, and more would slow an election down.
     */
    static final int LEADERLESS_FETCH_DELAY_MS = 30;

    private final QuorumNode quorum;
    private final ControlExecutor executor;

    QuorumRequests(QuorumNode quorum, ControlExecutor executor) {
        this.quorum = quorum;
        this.executor = executor;
    }

    void addTo(Map<ApiKeys, ControllerApi> apis) {
        apis.put(ApiKeys.VOTE, this::pass);
        apis.put(ApiKeys.BEGIN_QUORUM_EPOCH, this::pass);
        apis.put(ApiKeys.END_QUORUM_EPOCH, this::pass);
        apis.put(ApiKeys.DESCRIBE_QUORUM, this::pass);
        apis.put(ApiKeys.ADD_RAFT_VOTER, this::pass);
        apis.put(ApiKeys.REMOVE_RAFT_VOTER, this::pass);
        apis.put(ApiKeys.UPDATE_RAFT_VOTER, this::pass);
        apis.put(ApiKeys.FETCH, this::fetch);
        apis.put(ApiKeys.FETCH_SNAPSHOT, this::fetchSnapshot);
    }

    private CompletionStage<ApiMessage> pass(ControllerCall call) {
        return quorum.handle(call.caller().listenerName(), call.header(), call.body());
    }

    private CompletionStage<ApiMessage> fetch(ControllerCall call) {
        return pass(call).thenCompose(answer -> {
            FetchResponseData fetched = (FetchResponseData) answer;
            boolean leaderless = false;
            for (FetchResponseData.FetchableTopicResponse topic : fetched.responses()) {
                for (FetchResponseData.PartitionData partition : topic.partitions()) {
                    leaderless |= isLeaderless(partition);
                    copyRecords(partition);
                }
            }
            return leaderless ? delayed(fetched) : CompletableFuture.completedFuture(fetched);
        });
    }

    private static boolean isLeaderless(FetchResponseData.PartitionData partition) {
        return partition.errorCode() != Errors.NONE.code()
                && partition.currentLeader().leaderId() < 0;
    }

    private CompletionStage<ApiMessage> delayed(ApiMessage answer) {
        CompletableFuture<ApiMessage> later = new CompletableFuture<>();
        executor.after(LEADERLESS_FETCH_DELAY_MS, () -> later.complete(answer));
        return later;
    }

    private static void copyRecords(FetchResponseData.PartitionData partition) {
        if (partition.records() instanceof FileRecords file) {
            try {
                ByteBuffer copy = ByteBuffer.allocate(file.sizeInBytes());
                file.readInto(copy, 0);
                partition.setRecords(MemoryRecords.readableRecords(copy));
            } catch (IOException failed) {
                throw new UncheckedIOException("cannot read the metadata log", failed);
            }
        }
    }

    private CompletionStage<ApiMessage> fetchSnapshot(ControllerCall call) {
        return pass(call).thenApply(answer -> {
            FetchSnapshotResponseData fetched = (FetchSnapshotResponseData) answer;
            fetched.topics().forEach(topic -> topic.partitions().forEach(QuorumRequests::copyRecords));
            return fetched;
        });
    }

    private static void copyRecords(FetchSnapshotResponseData.PartitionSnapshot partition) {
        if (partition.unalignedRecords() instanceof UnalignedFileRecords file) {
            try (MemoryChannel copy = new MemoryChannel(file.sizeInBytes())) {
                int at = 0;
                while (at < file.sizeInBytes()) {
                    at += file.writeTo(copy, at, file.sizeInBytes() - at);
                }
                partition.setUnalignedRecords(new UnalignedMemoryRecords(copy.written()));
            } catch (IOException failed) {
                throw new UncheckedIOException("cannot read a snapshot of the metadata log", failed);
            }
        }
    }
}
