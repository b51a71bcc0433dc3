package io.highwater.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Dashboards that Grafana takes as they are, in any place. */
class DashboardsTest {
    private static final String DATASOURCE = "${datasource}";

    static Set<String> names() {
        return Dashboards.all().keySet();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("names")
    void aDashboardCanBeImportedAnywhere(String name) {
        JsonObject dashboard = Dashboards.all().get(name);

        assertThat(dashboard.getString("uid")).isEqualTo("highwater-" + name.replace(".json", ""));
        assertThat(dashboard.getInteger("schemaVersion")).isBetween(39, 42);
        JsonObject source = Dashboards.variables(dashboard).get(0);
        assertThat(source.getString("name")).isEqualTo("datasource");
        assertThat(source.getString("query")).isEqualTo("prometheus");
        assertThat(Dashboards.objects(dashboard, "panels").stream().map(each -> each.getInteger("id")))
                .doesNotHaveDuplicates();
        Dashboards.panels(dashboard).forEach(DashboardsTest::isWhole);
    }

    private static void isWhole(JsonObject panel) {
        String title = panel.getString("title");
        assertThat(title).isNotBlank();
        assertThat(panel.getJsonObject("datasource").getString("uid")).as(title).isEqualTo(DATASOURCE);
        assertThat(panel.getJsonObject("fieldConfig").getJsonObject("defaults").getString("unit"))
                .as(title)
                .isNotBlank();
        assertThat(Dashboards.objects(panel, "targets"))
                .as(title)
                .isNotEmpty()
                .allSatisfy(
                        target -> assertThat(target.getJsonObject("datasource").getString("uid"))
                                .isEqualTo(DATASOURCE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("names")
    void panelsDoNotOverlap(String name) {
        Set<String> taken = new HashSet<>();
        for (JsonObject panel : Dashboards.objects(Dashboards.all().get(name), "panels")) {
            JsonObject at = panel.getJsonObject("gridPos");
            int right = at.getInteger("x") + at.getInteger("w");
            assertThat(right).isLessThanOrEqualTo(24);
            for (int x = at.getInteger("x"); x < right; x++) {
                for (int y = at.getInteger("y"); y < at.getInteger("y") + at.getInteger("h"); y++) {
                    assertThat(taken.add(x + "," + y))
                            .as(panel.getString("title"))
                            .isTrue();
                }
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("names")
    void everyVariableThatIsUsedExists(String name) {
        JsonObject dashboard = Dashboards.all().get(name);
        Set<String> known = Dashboards.variables(dashboard).stream()
                .map(each -> each.getString("name"))
                .collect(Collectors.toSet());
        List<String> queries = new ArrayList<>(Dashboards.variableQueries(dashboard));
        Dashboards.panels(dashboard).forEach(panel -> queries.addAll(Dashboards.queries(panel)));

        for (String query : queries) {
            PromQuery.parse(query).selectors().stream()
                    .flatMap(each -> each.conditions().stream())
                    .map(PromQuery.Condition::value)
                    .filter(value -> value.startsWith("$"))
                    .forEach(value -> assertThat(known).as(query).contains(value.substring(1)));
        }
    }

    @Test
    void everyAlertHasARunbookAndAUnitTest() throws IOException {
        String rules = Files.readString(Dashboards.RULES);
        String tests = Files.readString(Dashboards.RULES_TEST);

        assertThat(Dashboards.alertNames()).hasSizeGreaterThan(20).doesNotHaveDuplicates();
        assertThat(Dashboards.alertQueries()).hasSameSizeAs(Dashboards.alertNames());
        assertThat(Dashboards.alertNames()).allSatisfy(alert -> {
            String rule =
                    rules.substring(rules.indexOf("- alert: " + alert + "\n")).split("\n *- alert: ", 3)[0];
            assertThat(rule)
                    .contains("{severity: ")
                    .contains(" summary: ")
                    .contains(" description: ")
                    .contains(" runbook: ");
            assertThat(tests).contains("alertname=\"" + alert + "\"");
        });
    }

    @Test
    void aQueryIsTakenApart() {
        PromQuery query =
                PromQuery.parse("sum by (job, le) (rate(a_bucket{x=\"1\",y=~\"$y\"}[5m])) / on (job) b offset 10m"
                        + " > 0.5 and c unless vector(0)");

        assertThat(query.selectors())
                .containsExactly(
                        new PromQuery.Selector(
                                "a_bucket",
                                List.of(
                                        new PromQuery.Condition("x", "=", "1"),
                                        new PromQuery.Condition("y", "=~", "$y"))),
                        new PromQuery.Selector("b", List.of()),
                        new PromQuery.Selector("c", List.of()));
        assertThat(query.groupedBy()).containsExactly("job", "le");
    }
}
