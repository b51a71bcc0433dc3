package io.highwater.broker.http;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;

/**
 * Lets in who shows the token, by header or by the cookie that a page gets which was opened with it; health is everybody's. A page of another
 * site gets nothing done with the reader's rights: what changes something has to come from a page of here, or from no page. Event loops.
 */
final class HttpGuard {
    private static final String COOKIE = "highwater-token";
    private static final Set<String> OPEN = Set.of("/healthz", "/readyz");
    private static final int SEE_OTHER = 303;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private final HttpSecurity security;

    HttpGuard(HttpSecurity security) {
        this.security = security;
    }

    /** True if the request may go on; else it is answered. */
    boolean admits(HttpServerRequest request) {
        if (request.method().equals(HttpMethod.POST) && !isFromHere(request)) {
            Answers.error(request, FORBIDDEN, "this page is of another site");
            return false;
        }
        if (security.token() == null || OPEN.contains(request.path())) {
            return true;
        }
        if (security.isRight(request.getHeader("Authorization"))) {
            return true;
        }
        Cookie cookie = request.getCookie(COOKIE);
        if (cookie != null && security.isCookie(cookie.getValue())) {
            return true;
        }
        if (request.path().equals("/") && security.isToken(request.getParam("token"))) {
            welcome(request);
            return false;
        }
        request.response().putHeader("WWW-Authenticate", "Bearer");
        Answers.error(
                request,
                UNAUTHORIZED,
                "this needs the header Authorization: Bearer TOKEN with the value of highwater.http.token;"
                        + " a browser opens /?token=TOKEN once");
        return false;
    }

    /** The token moves from the address line into a cookie. */
    private void welcome(HttpServerRequest request) {
        request.response()
                .addCookie(Cookie.cookie(COOKIE, security.asCookie())
                        .setHttpOnly(true)
                        .setPath("/")
                        .setSecure(request.isSSL())
                        .setSameSite(CookieSameSite.STRICT))
                .putHeader("Location", "/")
                .setStatusCode(SEE_OTHER)
                .end()
                .onFailure(Answers::wentAway);
    }

    private static boolean isFromHere(HttpServerRequest request) {
        String origin = request.getHeader("Origin");
        String host = request.getHeader("Host");
        return origin == null || (host != null && origin.endsWith("://" + host));
    }
}
