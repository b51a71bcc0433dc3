package io.highwater.broker.http;

import io.highwater.broker.view.ClusterView;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The streams that are open. Any thread. */
public final class LiveStreams {
    /** More are refused. */
    static final int MOST = 16;

    private final ClusterView view;
    private final ViewThread thread;
    private final Set<LiveStream> open = ConcurrentHashMap.newKeySet();

    /** None yet. */
    public LiveStreams(ClusterView view, ViewThread thread) {
        this.view = view;
        this.thread = thread;
    }

    /** Opens one, on the request's event loop; false if there are too many. */
    boolean open(HttpServerRequest request, LiveStream.Wanted wanted) {
        if (open.size() >= MOST) {
            return false;
        }
        LiveStream stream = new LiveStream(
                view,
                wanted,
                new EventStream(request.response()),
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        open.add(stream);
        Future<?> ticking = thread.every(stream.periodMs(), stream::tick);
        request.response().closeHandler(closed -> {
            open.remove(stream);
            ticking.cancel(false);
            stream.close();
        });
        thread.execute(stream::tick);
        return true;
    }

    /** How many are open. */
    public int count() {
        return open.size();
    }
}
