package io.highwater.broker.api.configs;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.jspecify.annotations.Nullable;

/** Collects the entries of one resource: those that the client asked for, with as much around them as it asked for. */
final class EntryWriter {
    private final List<DescribeConfigsResourceResult> entries = new ArrayList<>();
    private final List<String> wanted;
    private final boolean synonymsToo;

    EntryWriter(DescribeConfigsResource resource, boolean synonymsToo) {
        this.wanted = resource.configurationKeys() == null ? List.of() : resource.configurationKeys();
        this.synonymsToo = synonymsToo;
    }

    /** Whether the client wants to see that setting; naming none means all. */
    boolean wants(String name) {
        return wanted.isEmpty() || wanted.contains(name);
    }

    /**
     * Adds an entry; its source is that of the first synonym.
     *
     * @param type null if nobody knows the setting
     * @param value null if there is none, or it is hidden
     */
    void add(
            String name,
            ConfigDef.@Nullable Type type,
            @Nullable String value,
            boolean readOnly,
            boolean sensitive,
            @Nullable String documentation,
            List<DescribeConfigsSynonym> synonyms) {
        byte source = synonyms.isEmpty()
                ? ConfigSource.DEFAULT_CONFIG.id()
                : synonyms.get(0).source();
        entries.add(new DescribeConfigsResourceResult()
                .setName(name)
                .setValue(sensitive ? null : value)
                .setConfigType(typeOf(type).id())
                .setConfigSource(source)
                .setReadOnly(readOnly)
                .setIsSensitive(sensitive)
                .setDocumentation(documentation)
                .setSynonyms(synonymsToo ? synonyms : List.of()));
    }

    List<DescribeConfigsResourceResult> entries() {
        return entries;
    }

    private static ConfigType typeOf(ConfigDef.@Nullable Type type) {
        return type == null ? ConfigType.UNKNOWN : ConfigType.valueOf(type.name());
    }
}
