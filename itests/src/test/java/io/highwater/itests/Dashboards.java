package io.highwater.itests;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What is in {@code grafana/}, as it is read from there. */
final class Dashboards {
    static final Path FOLDER = Path.of("../grafana");
    static final Path RULES = FOLDER.resolve("alerts/highwater.rules.yml");
    static final Path RULES_TEST = FOLDER.resolve("alerts/highwater.rules.test.yml");

    private static final Pattern EXPRESSION = Pattern.compile("(?m)^ +expr: (.*)$");
    private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (.*)$");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.*), (\\w+)\\)");

    private Dashboards() {}

    /** By file name. */
    static Map<String, JsonObject> all() {
        Map<String, JsonObject> all = new TreeMap<>();
        try (Stream<Path> files = Files.list(FOLDER.resolve("dashboards"))) {
            for (Path file : files.toList()) {
                all.put(file.getFileName().toString(), new JsonObject(Files.readString(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    /** All panels but those that are only a heading. */
    static List<JsonObject> panels(JsonObject dashboard) {
        return objects(dashboard, "panels").stream()
                .filter(each -> !each.getString("type").equals("row"))
                .toList();
    }

    static List<JsonObject> variables(JsonObject dashboard) {
        return objects(dashboard.getJsonObject("templating"), "list");
    }

    static List<JsonObject> objects(JsonObject parent, String name) {
        return parent.getJsonArray(name).stream().map(JsonObject.class::cast).toList();
    }

    static List<String> queries(JsonObject panel) {
        return objects(panel, "targets").stream()
                .map(each -> each.getString("expr"))
                .toList();
    }

    /** The queries of variables, as queries that Prometheus itself would know. */
    static List<String> variableQueries(JsonObject dashboard) {
        return variables(dashboard).stream()
                .filter(each -> each.getString("type").equals("query"))
                .map(each -> LABEL_VALUES
                        .matcher(each.getJsonObject("query").getString("query"))
                        .replaceFirst("group by ($2) ($1)"))
                .toList();
    }

    /** The expressions of all alerts. */
    static List<String> alertQueries() {
        return found(EXPRESSION, RULES);
    }

    static List<String> alertNames() {
        return found(ALERT, RULES);
    }

    /** Everything that is ever asked. */
    static List<String> everyQuery() {
        List<String> queries = new ArrayList<>(alertQueries());
        all().values().forEach(dashboard -> {
            queries.addAll(variableQueries(dashboard));
            panels(dashboard).forEach(panel -> queries.addAll(queries(panel)));
        });
        return queries;
    }

    private static List<String> found(Pattern pattern, Path file) {
        try {
            return pattern.matcher(Files.readString(file))
                    .results()
                    .map((MatchResult each) -> each.group(1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
