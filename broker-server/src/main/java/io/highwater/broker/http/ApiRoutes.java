package io.highwater.broker.http;

import io.highwater.broker.journal.IsrChange;
import io.highwater.broker.journal.JournalEntry;
import io.highwater.broker.view.ClusterView;
import io.highwater.broker.view.EventCursor;
import io.highwater.broker.view.EventFilter;
import io.highwater.broker.view.IsrFilter;
import io.highwater.broker.view.LintFinding;
import io.highwater.broker.view.LocalQuestion;
import io.highwater.broker.view.LocalView;
import io.highwater.broker.view.PartitionName;
import io.highwater.broker.view.StepCommand;
import io.highwater.broker.view.TopicReport;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /api/...}: what this broker tells of itself and of the whole cluster, see docs/http.md. Event loops hand questions to the view's thread
 * and answers to the socket.
 */
public final class ApiRoutes implements HttpRoutes {
    /** Where brokers ask each other. */
    static final String LOCAL = "/api/local";

    /** A question of a broker is no longer than this. */
    static final int MOST_QUESTION_BYTES = 4 << 20;

    /** All that are being read or thought about together; more are refused. */
    static final int MOST_QUESTION_BYTES_TOGETHER = 4 * MOST_QUESTION_BYTES;

    /** A question that has not arrived by then does not arrive any more. */
    private static final long QUESTION_MS = 10_000;

    private static final String PREFIX = "/api/";
    private static final int DEFAULT_EVENTS = 500;
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int TOO_LARGE = 413;
    private static final int FAILED = 500;
    private static final int UNAVAILABLE = 503;
    private static final String STEP_OFF =
            "step mode is off; a broker that is for trying only can be started with highwater.step.enabled=true";
    private static final Logger LOG = LoggerFactory.getLogger(ApiRoutes.class);

    private final ClusterView view;
    private final LocalView local;
    private final LiveStreams streams;
    private final ViewThread thread;
    private final boolean stepEnabled;
    private final AtomicInteger questionBytes = new AtomicInteger();

    /** @param stepEnabled {@code highwater.step.enabled} */
    public ApiRoutes(ClusterView view, LocalView local, LiveStreams streams, ViewThread thread, boolean stepEnabled) {
        this.view = view;
        this.local = local;
        this.streams = streams;
        this.thread = thread;
        this.stepEnabled = stepEnabled;
    }

    @Override
    public boolean take(HttpServerRequest request) {
        if (!request.path().startsWith(PREFIX)) {
            return false;
        }
        try {
            route(request);
        } catch (BadRequestException e) {
            Answers.error(request, e.status(), e.sentence());
        }
        return true;
    }

    private void route(HttpServerRequest request) throws BadRequestException {
        List<String> path = List.of(request.path().substring(PREFIX.length()).split("/", -1));
        boolean posts = request.method().equals(HttpMethod.POST);
        if (posts) {
            post(request, path);
            return;
        }
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            throw readOnly();
        }
        switch (path.get(0)) {
            case "cluster" -> answer(request, path, 1, view::cluster);
            case "topics" -> topic(request, path);
            case "partitions" -> partition(request, path);
            case "events" -> events(request, path);
            case "isr-changes" -> isrChanges(request, path);
            case "groups" -> answer(request, path, 1, view::groups);
            case "lint" -> answer(request, path, 1, () -> view.lint().thenApply(Findings::new));
            case "live" -> live(request);
            case "step" -> step(request, path);
            case "local" -> throw new BadRequestException(METHOD_NOT_ALLOWED, "brokers post their questions here");
            default -> throw unknown();
        }
    }

    /** Named members, so that more can be told later. */
    private record Findings(List<LintFinding> findings) {}

    private record Changes(List<IsrChange> changes) {}

    private void post(HttpServerRequest request, List<String> path) throws BadRequestException {
        switch (path.get(0)) {
            case "local" -> localQuestion(request);
            case "step" -> stepCommand(request, path);
            default -> throw readOnly();
        }
    }

    private static BadRequestException readOnly() {
        return new BadRequestException(METHOD_NOT_ALLOWED, "nothing can be changed here, only read");
    }

    private void topic(HttpServerRequest request, List<String> path) throws BadRequestException {
        if (path.size() != 2) {
            throw new BadRequestException(NOT_FOUND, "a topic is at /api/topics/NAME");
        }
        String name = path.get(1);
        int from = (int) number(request, "from", 0, 0, Integer.MAX_VALUE - ClusterView.TOPIC_PAGE);
        requireTopic(name);
        answer(request, () -> {
            CompletionStage<TopicReport> report = view.topic(name, from);
            return report == null
                    ? CompletableFuture.failedFuture(new BadRequestException(NOT_FOUND, "there is no topic " + name))
                    : report;
        });
    }

    private void partition(HttpServerRequest request, List<String> path) throws BadRequestException {
        if (path.size() != 3 || !path.get(2).matches("\\d{1,9}")) {
            throw new BadRequestException(NOT_FOUND, "a partition is at /api/partitions/TOPIC/NUMBER");
        }
        requireTopic(path.get(1));
        PartitionName name = new PartitionName(path.get(1), Integer.parseInt(path.get(2)));
        if (!view.knows(name)) {
            throw new BadRequestException(NOT_FOUND, "topic " + name.topic() + " has no partition " + name.partition());
        }
        answer(request, () -> view.partitions(List.of(name)).thenApply(reports -> reports.get(0)));
    }

    private void events(HttpServerRequest request, List<String> path) throws BadRequestException {
        requireLength(path, 1);
        String kind = request.getParam("kind");
        if (kind != null && kinds().noneMatch(kind::equals)) {
            throw new BadRequestException(
                    BAD_REQUEST,
                    "there is no kind " + kind + "; there are " + kinds().collect(Collectors.joining(", ")));
        }
        Since since = since(request);
        int limit = (int) number(request, "limit", DEFAULT_EVENTS, 1, EventFilter.MOST);
        EventFilter filter = new EventFilter(partitionParameter(request), kind, -1, since.wallMs(), limit);
        int broker = brokerParameter(request, "broker");
        answer(request, () -> view.events(filter, since.cursor(), broker));
    }

    private static Since since(HttpServerRequest request) throws BadRequestException {
        String text = request.getParam("since");
        EventCursor cursor = text == null ? null : EventCursor.parse(text);
        return text == null || cursor != null
                ? new Since(cursor, 0)
                : new Since(null, number(request, "since", 0, 0, Long.MAX_VALUE));
    }

    private static Stream<String> kinds() {
        return Stream.of(JournalEntry.Kind.values()).map(Enum::name);
    }

    private void isrChanges(HttpServerRequest request, List<String> path) throws BadRequestException {
        requireLength(path, 1);
        IsrFilter filter = new IsrFilter(partitionParameter(request), brokerParameter(request, "broker"));
        answer(request, () -> view.isrChanges(filter).thenApply(Changes::new));
    }

    private void live(HttpServerRequest request) throws BadRequestException {
        List<PartitionName> names = new ArrayList<>();
        String listed = request.getParam("partitions");
        for (String each : listed == null || listed.isEmpty() ? new String[0] : listed.split(",")) {
            PartitionName name = PartitionName.parse(each);
            if (name == null) {
                throw new BadRequestException(BAD_REQUEST, each + " names no partition; one is TOPIC-NUMBER");
            }
            names.add(name);
        }
        if (names.size() > LiveStream.MOST_PARTITIONS) {
            throw new BadRequestException(
                    BAD_REQUEST,
                    "a stream follows at most " + LiveStream.MOST_PARTITIONS + " partitions, not " + names.size());
        }
        LiveStream.Wanted wanted = new LiveStream.Wanted(
                names,
                "1".equals(request.getParam("events")),
                since(request),
                "1".equals(request.getParam("cluster")),
                "1".equals(request.getParam("groups")),
                (int) number(request, "hz", LiveStream.DEFAULT_HZ, 1, LiveStream.MOST_HZ));
        if (!streams.open(request, wanted)) {
            throw new BadRequestException(
                    UNAVAILABLE,
                    "there are " + LiveStreams.MOST + " streams already; close one, or ask another broker");
        }
    }

    private void step(HttpServerRequest request, List<String> path) throws BadRequestException {
        requireLength(path, 1);
        answer(request, () -> view.step(StepCommand.LOOK, -1));
    }

    private void stepCommand(HttpServerRequest request, List<String> path) throws BadRequestException {
        if (!stepEnabled) {
            throw new BadRequestException(FORBIDDEN, STEP_OFF);
        }
        requireLength(path, 2);
        int leader = brokerParameter(request, "broker");
        int follower = brokerParameter(request, "follower");
        String verb = path.get(1);
        if (verb.equals("hold") && (leader < 0 || follower < 0)) {
            throw new BadRequestException(
                    BAD_REQUEST, "say whose fetches are to be held, and where: ?broker=LEADER&follower=ID");
        }
        if (verb.equals("release") && follower < 0) {
            throw new BadRequestException(BAD_REQUEST, "say whose fetch is to be released: ?follower=ID");
        }
        if (!List.of("hold", "release", "end").contains(verb)) {
            throw new BadRequestException(NOT_FOUND, "there are hold, release and end");
        }
        answer(
                request,
                () -> view.step(new StepCommand(verb, follower), leader).thenApply(report -> {
                    if (report == null) {
                        throw new CompletionException(new BadRequestException(
                                UNAVAILABLE, "broker " + leader + " does not answer; it may have done it, or not"));
                    }
                    return report;
                }));
    }

    private void localQuestion(HttpServerRequest request) throws BadRequestException {
        String length = request.getHeader("Content-Length");
        if (length == null || !length.matches("\\d{1,9}") || Integer.parseInt(length) > MOST_QUESTION_BYTES) {
            throw new BadRequestException(
                    TOO_LARGE, "a question says how long it is, at most " + MOST_QUESTION_BYTES + " bytes");
        }
        int bytes = Integer.parseInt(length);
        if (questionBytes.addAndGet(bytes) > MOST_QUESTION_BYTES_TOGETHER) {
            questionBytes.addAndGet(-bytes);
            throw new BadRequestException(UNAVAILABLE, "there are too many questions already");
        }
        Vertx vertx = Objects.requireNonNull(Vertx.currentContext()).owner();
        long timer = vertx.setTimer(QUESTION_MS, late -> request.connection().close());
        request.body().onComplete(read -> {
            vertx.cancelTimer(timer);
            if (read.failed()) {
                questionBytes.addAndGet(-bytes);
                Answers.wentAway(read.cause());
                return;
            }
            String question = read.result().toString();
            answer(request, () -> {
                try {
                    return local.answer(read(question));
                } finally {
                    questionBytes.addAndGet(-bytes);
                }
            });
        });
    }

    private static LocalQuestion read(String text) {
        try {
            return JsonRecords.read(text, LocalQuestion.class);
        } catch (IllegalArgumentException e) {
            throw new CompletionException(new BadRequestException(BAD_REQUEST, String.valueOf(e.getMessage())));
        }
    }

    private void answer(HttpServerRequest request, List<String> path, int length, Question question)
            throws BadRequestException {
        requireLength(path, length);
        answer(request, question);
    }

    /** What is to be computed on the view's thread. */
    @FunctionalInterface
    private interface Question {
        CompletionStage<?> ask();
    }

    private void answer(HttpServerRequest request, Question question) {
        Context context = Objects.requireNonNull(Vertx.currentContext());
        thread.execute(() -> {
            CompletionStage<?> answer;
            try {
                answer = question.ask();
            } catch (RuntimeException e) {
                answer = CompletableFuture.failedFuture(e);
            }
            var unused = answer.whenCompleteAsync((value, failure) -> end(request, context, value, failure), thread);
        });
    }

    private static void end(
            HttpServerRequest request, Context context, @Nullable Object value, @Nullable Throwable failure) {
        if (failure == null && value != null) {
            Buffer body = Buffer.buffer(Json.write(value));
            context.runOnContext(hopped -> Answers.end(request, OK, Answers.JSON, body));
            return;
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof BadRequestException refused) {
            context.runOnContext(hopped -> Answers.error(request, refused.status(), refused.sentence()));
        } else {
            LOG.error("{} could not be answered", request.path(), cause);
            context.runOnContext(hopped -> Answers.error(request, FAILED, "this could not be answered: " + cause));
        }
    }

    private void requireTopic(String name) throws BadRequestException {
        if (!view.knowsTopic(name)) {
            throw new BadRequestException(NOT_FOUND, "there is no topic " + name);
        }
    }

    private static void requireLength(List<String> path, int length) throws BadRequestException {
        if (path.size() != length) {
            throw unknown();
        }
    }

    private static BadRequestException unknown() {
        return new BadRequestException(
                NOT_FOUND,
                "there are /api/cluster, /api/topics/NAME, /api/partitions/TOPIC/NUMBER, /api/events, /api/isr-changes,"
                        + " /api/groups, /api/lint, /api/live and /api/step");
    }

    private @Nullable PartitionName partitionParameter(HttpServerRequest request) throws BadRequestException {
        String text = request.getParam("partition");
        if (text == null) {
            return null;
        }
        PartitionName name = PartitionName.parse(text);
        if (name == null) {
            throw new BadRequestException(BAD_REQUEST, text + " names no partition; one is TOPIC-NUMBER");
        }
        if (!view.knows(name)) {
            throw new BadRequestException(NOT_FOUND, "there is no partition " + name);
        }
        return name;
    }

    private int brokerParameter(HttpServerRequest request, String parameter) throws BadRequestException {
        int id = (int) number(request, parameter, -1, 0, Integer.MAX_VALUE);
        if (id >= 0 && !view.knowsBroker(id)) {
            throw new BadRequestException(NOT_FOUND, "there is no broker " + id);
        }
        return id;
    }

    private static long number(HttpServerRequest request, String parameter, long otherwise, long least, long most)
            throws BadRequestException {
        String text = request.getParam(parameter);
        if (text == null) {
            return otherwise;
        }
        long value = text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
        if (value < least || value > most) {
            throw new BadRequestException(
                    BAD_REQUEST, parameter + "=" + text + " is not a number from " + least + " to " + most);
        }
        return value;
    }
}
