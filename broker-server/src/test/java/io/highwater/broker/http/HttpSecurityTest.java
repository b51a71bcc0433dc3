package io.highwater.broker.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.highwater.broker.metrics.Dialects;
import io.highwater.broker.metrics.Metrics;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpSecurityTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final Vertx vertx = Vertx.vertx();
    private final Metrics metrics = new Metrics(Dialects.usual());

    @AfterEach
    void close() {
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void withoutTheTokenThereIsOnlyHealth() throws Exception {
        String base = "http://127.0.0.1:" + start(new HttpSecurity("secret", null, null, null));
        HttpClient client = HttpClient.newHttpClient();

        assertThat(get(client, base + "/metrics", "").statusCode()).isEqualTo(401);
        assertThat(get(client, base + "/metrics", "Bearer wrong").statusCode()).isEqualTo(401);
        assertThat(get(client, base + "/metrics?token=secret", "").statusCode()).isEqualTo(401);
        assertThat(get(client, base + "/healthz", "").statusCode()).isEqualTo(200);
        assertThat(get(client, base + "/metrics", "Bearer secret").statusCode()).isEqualTo(200);
    }

    @Test
    void aBrowserTurnsTheTokenIntoACookieThatPagesCannotRead() throws Exception {
        String base = "http://127.0.0.1:" + start(new HttpSecurity("secret", null, null, null));
        HttpClient client = HttpClient.newHttpClient();

        HttpResponse<String> welcome = get(client, base + "/?token=secret", "");
        String cookie = welcome.headers().firstValue("Set-Cookie").orElse("");
        HttpRequest withCookie = HttpRequest.newBuilder(URI.create(base + "/metrics"))
                .header("Cookie", cookie.split(";", 2)[0])
                .build();

        assertThat(welcome.statusCode()).isEqualTo(303);
        assertThat(cookie).containsIgnoringCase("HttpOnly").contains("SameSite=Strict");
        assertThat(client.send(withCookie, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void aCertificateMakesItHttps(@TempDir Path directory) throws Exception {
        KeyStore store = selfSigned(directory);
        Path certificate =
                pem(directory, "CERTIFICATE", store.getCertificate("http").getEncoded());
        Path key = pem(directory, "PRIVATE KEY", store.getKey("http", PASSWORD).getEncoded());
        int port = start(new HttpSecurity(null, certificate.toString(), key.toString(), null));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("http", store.getCertificate("http"));
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);

        HttpResponse<String> answer =
                get(HttpClient.newBuilder().sslContext(context).build(), "https://127.0.0.1:" + port + "/healthz", "");

        assertThat(answer.statusCode()).isEqualTo(200);
    }

    private int start(HttpSecurity security) {
        return new HttpEndpoint(vertx, metrics, () -> null, security, List.of())
                .start("127.0.0.1", 0)
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }

    private static HttpResponse<String> get(HttpClient client, String uri, String authorization)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static KeyStore selfSigned(Path directory) throws Exception {
        Path file = directory.resolve("http.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "http",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.out").toFile())
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    private static Path pem(Path directory, String kind, byte[] der) throws IOException {
        String text = "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + kind + "-----\n";
        return Files.writeString(directory.resolve(kind.replace(' ', '-') + ".pem"), text);
    }
}
