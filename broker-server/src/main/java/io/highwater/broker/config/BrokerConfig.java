package io.highwater.broker.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;

/**
 * A broker's settings: those of its file and command line, under what the cluster changed while it runs. Immutable; an object is
 * checked as a whole when it is made, so whoever holds one may trust it.
 *
 * <p>Ask by Kafka's name ({@link #getInt}) or by one of the named getters below, which stand for the settings that take more than
 * one line to read.
 */
public final class BrokerConfig {
    /** Under this name a broker's registration tells where its HTTP is; no client asks for it. */
    public static final String HTTP_LISTENER = Listeners.HTTP;

    private final Map<String, String> fromFile;
    private final Map<String, String> clusterDefaults;
    private final Map<String, String> ofThisBroker;
    private final Map<String, @Nullable Object> values;
    private final List<ListenerEndpoint> listeners;
    private final List<ListenerEndpoint> advertisedListeners;
    private final Map<String, SecurityProtocol> protocols;
    private final List<String> warnings;

    private BrokerConfig(
            Map<String, String> fromFile, Map<String, String> clusterDefaults, Map<String, String> ofThisBroker) {
        this.fromFile = Map.copyOf(fromFile);
        this.clusterDefaults = Map.copyOf(clusterDefaults);
        this.ofThisBroker = Map.copyOf(ofThisBroker);
        this.values = parseAll();
        this.protocols = Collections.unmodifiableMap(Listeners.protocols(
                Listeners.entries(getString(Listeners.PROTOCOL_MAP)),
                isSet(Listeners.PROTOCOL_MAP),
                getList(Listeners.CONTROLLER_NAMES),
                getList(Listeners.LISTENERS)));
        this.listeners = Listeners.parse(Listeners.LISTENERS, getList(Listeners.LISTENERS), protocols);
        this.advertisedListeners = value(Listeners.ADVERTISED) == null
                ? listeners
                : Listeners.parse(Listeners.ADVERTISED, getList(Listeners.ADVERTISED), protocols);
        Contradictions.refuse(this);
        this.warnings = Warnings.of(this);
    }

    /**
     * Reads a file in the form of Kafka's {@code server.properties}.
     *
     * @param file null means the settings of a single node for trying and developing, see {@link Defaults}
     * @param overrides settings that win over the file's
     * @throws InvalidSettingException if a value is wrong, or values contradict each other
     * @throws IOException if the file cannot be read
     */
    public static BrokerConfig load(@Nullable Path file, Map<String, String> overrides) throws IOException {
        if (file == null) {
            return of(Defaults.singleNode(overrides));
        }
        Map<String, String> settings = new LinkedHashMap<>(read(file));
        settings.putAll(overrides);
        return of(settings);
    }

    /**
     * The same from settings at hand; nothing is added to them but Kafka's defaults.
     *
     * @throws InvalidSettingException if a value is wrong, or values contradict each other
     */
    public static BrokerConfig of(Map<String, String> settings) {
        return new BrokerConfig(Defaults.withSynonyms(Variables.resolve(settings)), Map.of(), Map.of());
    }

    /**
     * This configuration under the cluster's present dynamic settings; those given earlier are forgotten.
     *
     * @param newClusterDefaults of the nameless broker resource
     * @param newOfThisBroker of this broker's resource; these win
     * @throws InvalidSettingException if a value is wrong, or values contradict each other
     */
    public BrokerConfig withDynamic(Map<String, String> newClusterDefaults, Map<String, String> newOfThisBroker) {
        return new BrokerConfig(fromFile, newClusterDefaults, newOfThisBroker);
    }

    /** Whether a value was given anywhere, be it the default's. */
    public boolean isSet(String name) {
        return rawValue(name) != null;
    }

    /** The value of a setting: a boxed type, a string, a list of strings; null when it has neither value nor default. */
    public @Nullable Object value(String name) {
        SettingTable.BROKER.get(name);
        return values.get(name);
    }

    /** A setting of type INT or SHORT. */
    public int getInt(String name) {
        return ((Number) present(name)).intValue();
    }

    /** A setting of type LONG, INT or SHORT. */
    public long getLong(String name) {
        return ((Number) present(name)).longValue();
    }

    /** A setting of type DOUBLE. */
    public double getDouble(String name) {
        return ((Number) present(name)).doubleValue();
    }

    /** A setting of type BOOLEAN. */
    public boolean getBoolean(String name) {
        return (Boolean) present(name);
    }

    /** A setting of type STRING, CLASS or PASSWORD as text; null when it is not set. */
    public @Nullable String getString(String name) {
        Object value = value(name);
        return value == null ? null : value instanceof Password password ? password.value() : value.toString();
    }

    /** A setting of type LIST; empty when it is not set. */
    public List<String> getList(String name) {
        Object value = value(name);
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    /** {@code node.id}. */
    public int nodeId() {
        return getInt("node.id");
    }

    /** Whether this node is a broker ({@code process.roles}). */
    public boolean isBroker() {
        return getList("process.roles").contains("broker");
    }

    /** Whether this node is a controller ({@code process.roles}). */
    public boolean isController() {
        return getList("process.roles").contains("controller");
    }

    /** {@code broker.rack}; null when none. */
    public @Nullable String rack() {
        return getString("broker.rack");
    }

    /** All {@code listeners}, in their order, those for controllers among them. */
    public List<ListenerEndpoint> listeners() {
        return listeners;
    }

    /** The {@code listeners} that clients and brokers use. */
    public List<ListenerEndpoint> brokerListeners() {
        return listeners.stream()
                .filter(each -> !isControllerListener(each.name()))
                .toList();
    }

    /** The {@code listeners} that are named in {@code controller.listener.names}. */
    public List<ListenerEndpoint> controllerListeners() {
        return listeners.stream()
                .filter(each -> isControllerListener(each.name()))
                .toList();
    }

    /**
     * What clients and brokers are told: {@code advertised.listeners}, or the listeners themselves. A host may be empty and a port
     * 0 if the listener's are: then its bound address has to be filled in.
     */
    public List<ListenerEndpoint> advertisedBrokerListeners() {
        return advertisedListeners.stream()
                .filter(each -> !isControllerListener(each.name()))
                .toList();
    }

    /** What the other nodes of the quorum are told: each controller listener as advertised, or else as it is. */
    public List<ListenerEndpoint> advertisedControllerListeners() {
        List<ListenerEndpoint> advertised = new ArrayList<>();
        for (ListenerEndpoint listener : controllerListeners()) {
            advertised.add(advertisedListeners.stream()
                    .filter(each -> each.name().equals(listener.name()))
                    .findFirst()
                    .orElse(listener));
        }
        return advertised;
    }

    /** Whether that listener is one of {@code controller.listener.names}. */
    public boolean isControllerListener(String listenerName) {
        return controllerListenerNames().contains(listenerName);
    }

    /** {@code controller.listener.names}, in upper case. */
    public List<String> controllerListenerNames() {
        return getList(Listeners.CONTROLLER_NAMES).stream()
                .map(Listeners::upper)
                .toList();
    }

    /** The security protocol of every listener name, in upper case, that may be used. */
    public Map<String, SecurityProtocol> listenerProtocols() {
        return protocols;
    }

    /** {@code inter.broker.listener.name}, or the name that {@code security.inter.broker.protocol} stands for. */
    public String interBrokerListenerName() {
        String name = getString("inter.broker.listener.name");
        return name != null
                ? Listeners.upper(name)
                : Objects.requireNonNull(getString("security.inter.broker.protocol"));
    }

    /** {@code log.dirs}, or else {@code log.dir}: absolute, in their order, never empty. */
    public List<Path> logDirs() {
        List<String> dirs = value("log.dirs") == null ? getList("log.dir") : getList("log.dirs");
        return dirs.stream()
                .map(dir -> Path.of(dir).toAbsolutePath().normalize())
                .toList();
    }

    /** {@code metadata.log.dir}, or else the first of {@link #logDirs}. */
    public Path metadataLogDir() {
        String dir = getString("metadata.log.dir");
        return dir == null ? logDirs().get(0) : Path.of(dir).toAbsolutePath().normalize();
    }

    /** Static voters: {@code controller.quorum.voters} by node id; empty when the quorum is dynamic. */
    public Map<Integer, String> quorumVoters() {
        return Quorum.voters(getList(Quorum.VOTERS));
    }

    /** {@code controller.quorum.bootstrap.servers} as host:port. */
    public List<String> quorumBootstrapServers() {
        return getList(Quorum.BOOTSTRAP_SERVERS);
    }

    /** {@code max.connections.per.ip.overrides} by host name or address. */
    public Map<String, Integer> maxConnectionsPerIpOverrides() {
        String name = "max.connections.per.ip.overrides";
        Map<String, Integer> byAddress = new LinkedHashMap<>();
        for (String entry : Listeners.entries(getString(name))) {
            int colon = entry.lastIndexOf(':');
            if (colon <= 0 || !entry.substring(colon + 1).matches("\\d{1,9}")) {
                throw new InvalidSettingException(name, name + " has the entry " + entry + "; allowed is HOST:COUNT");
            }
            byAddress.put(entry.substring(0, colon), Integer.valueOf(entry.substring(colon + 1)));
        }
        return byAddress;
    }

    /** {@code highwater.http.host}. */
    public String httpHost() {
        return Objects.requireNonNull(getString("highwater.http.host"));
    }

    /** {@code highwater.http.port}: -1 means no HTTP, 0 any free port. */
    public int httpPort() {
        return getInt("highwater.http.port");
    }

    /** Where other brokers reach {@link #httpPort}: the host is empty if it listens on every interface, the port 0 if any free one. */
    public Optional<ListenerEndpoint> advertisedHttp() {
        if (httpPort() < 0) {
            return Optional.empty();
        }
        boolean everywhere = httpHost().equals("0.0.0.0") || httpHost().equals("::");
        return Optional.of(new ListenerEndpoint(
                HTTP_LISTENER,
                isSet("highwater.http.tls.certificate") ? SecurityProtocol.SSL : SecurityProtocol.PLAINTEXT,
                everywhere ? "" : httpHost(),
                httpPort()));
    }

    /**
     * All settings of a topic by Kafka's names: what the topic sets itself, else what this broker's settings say for it, else the
     * default.
     *
     * @param topicOverrides what the topic sets itself
     */
    public Map<String, String> topicConfig(Map<String, String> topicOverrides) {
        return TopicConfigs.effective(topicOverrides, this);
    }

    /** What the file and the command line set, by Kafka's names, unknown names included. */
    public Map<String, String> fromFile() {
        return fromFile;
    }

    /** The present settings of the nameless broker resource. */
    public Map<String, String> clusterDefaults() {
        return clusterDefaults;
    }

    /** The present settings of this broker's resource. */
    public Map<String, String> ofThisBroker() {
        return ofThisBroker;
    }

    /** What is set, from all sources with the stronger winning, by Kafka's names; no defaults. */
    public Map<String, String> raw() {
        Map<String, String> raw = new LinkedHashMap<>(fromFile);
        raw.putAll(clusterDefaults);
        raw.putAll(ofThisBroker);
        return raw;
    }

    /** One sentence for each unknown name and each unsafe choice. */
    public List<String> warnings() {
        return warnings;
    }

    @Nullable
    String rawValue(String name) {
        String own = ofThisBroker.get(name);
        if (own != null) {
            return own;
        }
        String clusterWide = clusterDefaults.get(name);
        return clusterWide != null ? clusterWide : fromFile.get(name);
    }

    private Map<String, @Nullable Object> parseAll() {
        Map<String, @Nullable Object> parsed = new LinkedHashMap<>();
        for (Setting setting : SettingTable.BROKER.all()) {
            String text = rawValue(setting.name());
            if (text == null && setting.required()) {
                throw new InvalidSettingException(
                        setting.name(),
                        setting.name() + " is missing and has no default; allowed is " + setting.allowedInWords());
            }
            parsed.put(setting.name(), text == null ? setting.defaultValue() : setting.parse(text));
        }
        return parsed;
    }

    private Object present(String name) {
        Object value = value(name);
        if (value == null) {
            throw new IllegalStateException(name + " has no value");
        }
        return value;
    }

    private static Map<String, String> read(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is not a properties file: " + e.getMessage(), e);
        }
        Map<String, String> settings = new LinkedHashMap<>();
        properties.stringPropertyNames().stream()
                .sorted()
                .forEach(name -> settings.put(name, properties.getProperty(name)));
        return settings;
    }
}
