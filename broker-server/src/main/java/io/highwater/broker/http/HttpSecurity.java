package io.highwater.broker.http;

import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Who may use the HTTP side, and how it is spoken.
 *
 * @param token what has to be shown, null if nothing ({@code highwater.http.token})
 * @param certificate PEM file of the certificate chain; null for plain HTTP ({@code highwater.http.tls.certificate})
 * @param key PEM file of its private key; null for plain HTTP ({@code highwater.http.tls.key})
 * @param trust PEM file of whom to trust among the other brokers; null for whom the certificate's own file names ({@code
 *     highwater.http.tls.trust})
 */
public record HttpSecurity(
        @Nullable String token,
        @Nullable String certificate,
        @Nullable String key,
        @Nullable String trust) {
    /** Everybody, in plain text. */
    public static final HttpSecurity NONE = new HttpSecurity(null, null, null, null);

    private static final String BEARER = "Bearer ";

    /** Whether that is the value of an Authorization header with the right token. */
    boolean isRight(@Nullable String authorization) {
        return authorization != null && authorization.startsWith(BEARER) && isToken(authorization.substring(7));
    }

    /** Whether that is the token, in a time that does not tell how much of it is right. */
    boolean isToken(@Nullable String given) {
        return token != null
                && given != null
                && MessageDigest.isEqual(
                        token.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    /** The token as a cookie can hold it, whatever is in it; empty if there is none. */
    String asCookie() {
        return token == null
                ? ""
                : Base64.getUrlEncoder().withoutPadding().encodeToString(token.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether that is a cookie with the token. */
    boolean isCookie(String given) {
        return token != null
                && MessageDigest.isEqual(
                        asCookie().getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    void secure(HttpServerOptions server) {
        if (certificate != null && key != null) {
            server.setSsl(true)
                    .setKeyCertOptions(
                            new PemKeyCertOptions().addCertPath(certificate).addKeyPath(key));
        }
    }

    void secure(HttpClientOptions client) {
        String trusted = trust == null ? certificate : trust;
        if (trusted != null) {
            client.setTrustOptions(new PemTrustOptions().addCertPath(trusted));
        }
    }
}
