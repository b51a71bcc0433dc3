package io.highwater.testkit;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** Questions to brokers' HTTP, in one line each. */
final class Http {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    private Http() {}

    /** What a path answers, whatever that is. */
    static HttpResponse<String> get(TestBroker broker, String path) {
        return send(HttpRequest.newBuilder(uri(broker, path)).timeout(PATIENCE).build());
    }

    /** The same for a POST without a body. */
    static HttpResponse<String> post(TestBroker broker, String path) {
        return send(HttpRequest.newBuilder(uri(broker, path))
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build());
    }

    /** The object that a path answers. */
    static JsonObject json(TestBroker broker, String path) {
        HttpResponse<String> answer = get(broker, path);
        if (answer.statusCode() != 200) {
            throw new AssertionError(path + " answers " + answer.statusCode() + ": " + answer.body());
        }
        return new JsonObject(answer.body());
    }

    /** Asks again and again until the answer is as wanted, and returns that one. */
    static JsonObject awaitJson(TestBroker broker, String path, Predicate<JsonObject> wanted) {
        AtomicReference<JsonObject> last = new AtomicReference<>(new JsonObject());
        Await.until(
                () -> {
                    last.set(json(broker, path));
                    return wanted.test(last.get());
                },
                Await.PATIENCE,
                () -> path + " of broker " + broker.id() + " still answers " + last.get());
        return Objects.requireNonNull(last.get());
    }

    /** The objects in one of its lists. */
    static List<JsonObject> objects(JsonObject object, String list) {
        return object.getJsonArray(list).stream().map(JsonObject.class::cast).toList();
    }

    static HttpResponse<String> send(HttpRequest request) {
        try {
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(request + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    static URI uri(TestBroker broker, String path) {
        return URI.create("http://127.0.0.1:" + broker.httpPort() + path);
    }
}
