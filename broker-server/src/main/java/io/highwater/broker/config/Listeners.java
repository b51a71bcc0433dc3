package io.highwater.broker.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;

/** Reads the listener settings as Kafka does. Names are compared in upper case. */
final class Listeners {
    static final String LISTENERS = "listeners";
    static final String ADVERTISED = "advertised.listeners";
    static final String PROTOCOL_MAP = "listener.security.protocol.map";
    /** Under this name a broker's registration tells where its HTTP is. */
    static final String HTTP = "HIGHWATER_HTTP";

    static final String CONTROLLER_NAMES = "controller.listener.names";

    private static final Pattern ENDPOINT =
            Pattern.compile("([^:/]*)://(?:\\[([0-9a-zA-Z.%:_-]*)]|([^:\\[\\]]*)):(-?\\d+)");

    private Listeners() {}

    /** The parts of a text that is a list by its meaning but not by its type. */
    static List<String> entries(@Nullable String text) {
        return text == null
                ? List.of()
                : Arrays.stream(text.split(",", -1))
                        .map(String::trim)
                        .filter(entry -> !entry.isEmpty())
                        .toList();
    }

    /**
     * The protocol of every listener name. Unless a map is given, controller listeners are plaintext too, as long as no listener
     * bears the name of a secure protocol.
     */
    static Map<String, SecurityProtocol> protocols(
            List<String> map, boolean mapIsGiven, List<String> controllerNames, List<String> listeners) {
        Map<String, SecurityProtocol> protocols = new LinkedHashMap<>();
        for (String entry : map) {
            int colon = entry.lastIndexOf(':');
            if (colon <= 0) {
                throw new InvalidSettingException(
                        PROTOCOL_MAP, PROTOCOL_MAP + " has the entry " + entry + "; allowed is NAME:PROTOCOL");
            }
            protocols.put(
                    upper(entry.substring(0, colon)),
                    protocol(PROTOCOL_MAP, entry.substring(colon + 1).trim()));
        }
        boolean secured = controllerNames.stream().anyMatch(Listeners::namesSecureProtocol)
                || listeners.stream().anyMatch(each -> namesSecureProtocol(upper(each.split(":", 2)[0])));
        if (!mapIsGiven && !secured) {
            controllerNames.forEach(name -> protocols.putIfAbsent(upper(name), SecurityProtocol.PLAINTEXT));
        }
        return protocols;
    }

    /** Parses the entries of a setting. */
    static List<ListenerEndpoint> parse(String setting, List<String> entries, Map<String, SecurityProtocol> protocols) {
        List<ListenerEndpoint> endpoints = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String entry : entries) {
            Matcher matcher = ENDPOINT.matcher(entry);
            if (!matcher.matches()) {
                throw new InvalidSettingException(
                        setting,
                        setting + " has the entry " + entry + "; allowed is NAME://HOST:PORT, with IPv6 hosts in [ ]");
            }
            String name = upper(matcher.group(1));
            SecurityProtocol protocol = protocols.get(name);
            if (protocol == null) {
                throw new InvalidSettingException(
                        setting,
                        setting + " has the listener " + name + ", for which " + PROTOCOL_MAP
                                + " names no security protocol; it knows " + String.join(", ", protocols.keySet()));
            }
            if (!names.add(name)) {
                throw new InvalidSettingException(setting, setting + " has two listeners with the name " + name);
            }
            String host =
                    matcher.group(2) != null ? matcher.group(2) : matcher.group(3) != null ? matcher.group(3) : "";
            endpoints.add(new ListenerEndpoint(name, protocol, host, port(setting, entry, matcher.group(4))));
        }
        return List.copyOf(endpoints);
    }

    /** Refuses two listeners on one port, unless one is an IPv4 and the other an IPv6 address. */
    static void requireDistinctPorts(List<ListenerEndpoint> listeners) {
        for (ListenerEndpoint one : listeners) {
            for (ListenerEndpoint other : listeners) {
                if (!one.name().equals(other.name())
                        && one.port() != 0
                        && one.port() == other.port()
                        && !differInFamily(one, other)) {
                    throw new InvalidSettingException(
                            LISTENERS,
                            LISTENERS + " has two listeners on port " + one.port() + ": " + one + " and " + other);
                }
            }
        }
    }

    static SecurityProtocol protocol(String setting, String name) {
        try {
            return SecurityProtocol.forName(name);
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(
                    setting,
                    setting + " names the security protocol " + name + "; allowed is "
                            + String.join(", ", SecurityProtocol.names()));
        }
    }

    static String upper(String name) {
        return name.trim().toUpperCase(Locale.ROOT);
    }

    private static int port(String setting, String entry, String text) {
        long port = text.length() > 6 ? -1 : Long.parseLong(text);
        if (port < 0 || port > 65535) {
            throw new InvalidSettingException(setting, setting + " has the entry " + entry + "; a port is 0 to 65535");
        }
        return (int) port;
    }

    private static boolean differInFamily(ListenerEndpoint one, ListenerEndpoint other) {
        return (isIpv4(one.host()) && isIpv6(other.host())) || (isIpv6(one.host()) && isIpv4(other.host()));
    }

    private static boolean isIpv4(String host) {
        return host.matches("\\d{1,3}(\\.\\d{1,3}){3}");
    }

    private static boolean isIpv6(String host) {
        return host.indexOf(':') >= 0;
    }

    private static boolean namesSecureProtocol(String name) {
        return name.equals("SSL") || name.equals("SASL_SSL") || name.equals("SASL_PLAINTEXT");
    }
}
