package io.highwater.itests;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A real Prometheus on loopback that scrapes every second and evaluates our alerts, which wait for a second only. Stopped when closed. */
final class PrometheusServer implements AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final int port;
    private final Process process;

    /** @param targets a JSON file of what to scrape, which may change, as Prometheus' file_sd_configs take it */
    PrometheusServer(Path directory, Path targets) throws IOException {
        this.port = Ports.free(1).get(0);
        String rules = Files.readString(Dashboards.RULES).replaceAll("(?m)^( +)for: .*$", "$1for: 1s");
        Files.writeString(directory.resolve("rules.yml"), rules);
        Path config = Files.writeString(directory.resolve("prometheus.yml"), """
            global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
            rule_files: [rules.yml]
            scrape_configs:
              - job_name: highwater
                file_sd_configs: [{files: ['%s'], refresh_interval: 1s}]
            """.formatted(targets.toAbsolutePath()));
        this.process = new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port,
                        "--log.level=warn")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    /** The samples that a query has now; fails if Prometheus refuses it. */
    JsonArray query(String expression) {
        JsonObject data = get("query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
        return data.getJsonArray("result");
    }

    /** The names of the alerts that fire now. */
    Set<String> firing() {
        return Dashboards.objects(get("alerts"), "alerts").stream()
                .filter(each -> each.getString("state").equals("firing"))
                .map(each -> each.getJsonObject("labels").getString("alertname"))
                .collect(Collectors.toSet());
    }

    private JsonObject get(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/" + path))
                .build();
        try {
            HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
            JsonObject body = new JsonObject(answer.body());
            if (!"success".equals(body.getString("status"))) {
                throw new AssertionError(path + " was answered " + answer.body());
            }
            return body.getJsonObject("data");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What {@code promtool} says to these arguments; fails if that is a complaint. */
    static String promtool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        Process promtool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (promtool.waitFor() != 0) {
            throw new AssertionError(String.join(" ", command) + ": " + said);
        }
        return said;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new IllegalStateException(e);
        }
    }
}
