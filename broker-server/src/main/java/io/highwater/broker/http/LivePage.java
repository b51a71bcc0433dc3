package io.highwater.broker.http;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The live view's page and what belongs to it, from the class path. Read once, on a worker; event loops answer. */
public final class LivePage implements HttpRoutes {
    private static final String ROOT = "live";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*(\\.[a-z0-9]+)+");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon",
            "woff2", "font/woff2",
            "json", "application/json; charset=utf-8",
            "txt", "text/plain; charset=utf-8");
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final Vertx vertx;
    private final Map<String, Buffer> files = new ConcurrentHashMap<>();

    /** Nothing read yet. */
    public LivePage(Vertx vertx) {
        this.vertx = vertx;
    }

    @Override
    public boolean take(HttpServerRequest request) {
        String path = request.path();
        String name = path.equals("/") || path.equals("/live/")
                ? "index.html"
                : path.startsWith("/live/") ? path.substring("/live/".length()) : null;
        if (name == null
                || (!request.method().equals(HttpMethod.GET)
                        && !request.method().equals(HttpMethod.HEAD))) {
            return false;
        }
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null || !NAME.matcher(name).matches()) {
            Answers.error(request, NOT_FOUND, "there is no " + path);
            return true;
        }
        Buffer known = files.get(name);
        if (known != null) {
            send(request, type, known);
            return true;
        }
        vertx.executeBlocking(() -> read(name), false).onComplete(read -> {
            Buffer file = read.result();
            if (file == null) {
                Answers.error(request, NOT_FOUND, "there is no " + path);
            } else {
                files.put(name, file);
                send(request, type, file);
            }
        });
        return true;
    }

    private static void send(HttpServerRequest request, String type, Buffer file) {
        request.response()
                .putHeader("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'")
                .putHeader("Referrer-Policy", "no-referrer");
        Answers.end(request, OK, type, file);
    }

    private static @Nullable Buffer read(String name) throws IOException {
        try (InputStream stream = LivePage.class.getResourceAsStream("/" + ROOT + "/" + name)) {
            return stream == null ? null : Buffer.buffer(stream.readAllBytes());
        }
    }
}
