package io.highwater.broker.peer;

import java.io.IOException;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/**
 * Which versions a follower uses with one leader: the newest that both of them know and the cluster's metadata version allows.
 *
 * @param fetch of Fetch
 * @param listOffsets of ListOffsets
 */
record FetchVersions(short fetch, short listOffsets) {
    /** Topics are named by their ids. */
    private static final short OLDEST_FETCH = 13;

    private static final short OLDEST_LIST_OFFSETS = 7;

    /** Levels of {@code metadata.version}, and what followers ask with from there on; the last one that is reached counts. */
    private static final short[][] FETCH_BY_LEVEL = {{9, 14}, {10, 15}, {19, 16}, {21, 17}, {27, 18}};

    private static final short[][] LIST_OFFSETS_BY_LEVEL = {{9, 8}, {21, 9}, {25, 10}, {29, 11}};

    /**
     * Settles it.
     *
     * @param metadataVersion the finalized level
     * @throws IOException if that leader is too old, or does not say
     */
    static FetchVersions of(ApiVersionsResponseData leader, short metadataVersion) throws IOException {
        Errors error = Errors.forCode(leader.errorCode());
        if (error != Errors.NONE) {
            throw new IOException("it does not tell its versions: " + error);
        }
        return new FetchVersions(
                common(leader, ApiKeys.FETCH, OLDEST_FETCH, allowed(FETCH_BY_LEVEL, OLDEST_FETCH, metadataVersion)),
                common(
                        leader,
                        ApiKeys.LIST_OFFSETS,
                        OLDEST_LIST_OFFSETS,
                        allowed(LIST_OFFSETS_BY_LEVEL, OLDEST_LIST_OFFSETS, metadataVersion)));
    }

    private static short allowed(short[][] byLevel, short oldest, short metadataVersion) {
        short version = oldest;
        for (short[] step : byLevel) {
            if (metadataVersion >= step[0]) {
                version = step[1];
            }
        }
        return version;
    }

    private static short common(ApiVersionsResponseData leader, ApiKeys api, short min, short max) throws IOException {
        ApiVersion range = leader.apiKeys().find(api.id);
        short version = range == null ? -1 : (short) Math.min(max, Math.min(range.maxVersion(), api.latestVersion()));
        if (range == null || version < Math.max(min, range.minVersion())) {
            throw new IOException("it does not answer " + api.name + " in a version from " + min + " to " + max);
        }
        return version;
    }
}
