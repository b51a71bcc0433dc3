package io.highwater.wire.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/**
 * The APIs and versions that one listener answers: those that have a line in the version table and a handler. What a
 * handler is missing for is not advertised, and what the table does not know cannot be handled. Immutable.
 */
public final class ApiSupport {
    private final ListenerRole role;
    private final @Nullable VersionRange[] byId;
    private final Set<ApiKeys> apis;

    private ApiSupport(ListenerRole role, Set<ApiKeys> apis) {
        this.role = role;
        this.apis = Collections.unmodifiableSet(apis);
        this.byId = new @Nullable VersionRange[ApiKeys.values().length];
        VersionTable.of(role).forEach((api, range) -> byId[api.id] = apis.contains(api) ? range : null);
    }

    /**
     * What a listener of this role supports when exactly these APIs have handlers.
     *
     * @throws IllegalStateException if one of them is not an API of this role
     */
    public static ApiSupport of(ListenerRole role, Set<ApiKeys> handled) {
        Set<ApiKeys> known = known(role);
        for (ApiKeys api : handled) {
            if (!known.contains(api)) {
                throw new IllegalStateException(api + " is not an API of the " + role + " listener");
            }
        }
        return new ApiSupport(role, handled.isEmpty() ? EnumSet.noneOf(ApiKeys.class) : EnumSet.copyOf(handled));
    }

    /** All APIs that a listener of this role may have handlers for. */
    public static Set<ApiKeys> known(ListenerRole role) {
        return Collections.unmodifiableSet(VersionTable.of(role).keySet());
    }

    /** The role of the listener. */
    public ListenerRole role() {
        return role;
    }

    /** The APIs that are answered in at least one version. */
    public Set<ApiKeys> apis() {
        return apis;
    }

    /** The versions of this API that are answered, or null if it is not answered at all. */
    public @Nullable VersionRange versions(ApiKeys api) {
        return byId[api.id];
    }

    /** Whether a request of this API and version is answered. */
    public boolean supports(ApiKeys api, short version) {
        VersionRange range = byId[api.id];
        return range != null && range.contains(version);
    }

    /** The entries of an ApiVersions response, in order of API key; new objects at each call. */
    public List<ApiVersion> advertised() {
        List<ApiVersion> advertised = new ArrayList<>(apis.size());
        for (ApiKeys api : apis) {
            VersionRange range = byId[api.id];
            if (range != null) {
                advertised.add(new ApiVersion()
                        .setApiKey(api.id)
                        .setMinVersion(range.advertisedMin())
                        .setMaxVersion(range.max()));
            }
        }
        return advertised;
    }
}
