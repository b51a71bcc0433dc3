package io.highwater.broker.metrics;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Message;
import org.jspecify.annotations.Nullable;

/**
 * Finds the error codes in answers: every field of that name, however deep, once for each element. Hot for the answers of Produce and
 * Fetch, which are walked by hand; those of the other APIs by what reflection has found out about their class once. Any thread.
 */
final class ErrorCodes {
    private static final String FIELD = "errorCode";

    /** Their own code is not in every version: NONE there says nothing where their elements have codes. */
    private static final Set<Class<?>> WITH_ELEMENTS_INSTEAD =
            Set.of(FindCoordinatorResponseData.class, MetadataResponseData.class, OffsetFetchResponseData.class);

    private static final ClassValue<ErrorCodes> OF_CLASS = new ClassValue<>() {
        @Override
        protected ErrorCodes computeValue(Class<?> type) {
            return new ErrorCodes(type);
        }
    };

    /** Reads the class's own code; null if it has none. */
    private final @Nullable Method own;

    /** Read the fields, each a message or a collection of messages, that have codes in them. */
    private final List<Method> deeper = new ArrayList<>();

    /** Takes the codes one by one. */
    @FunctionalInterface
    interface Sink {
        void take(short code);
    }

    private ErrorCodes(Class<?> type) {
        Method found = null;
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                continue;
            }
            if (field.getName().equals(FIELD)) {
                found = getter(type, field);
            } else {
                Class<?> message = messageIn(field);
                if (message != null && areIn(message)) {
                    deeper.add(getter(type, field));
                }
            }
        }
        own = found;
    }

    /** Whether messages of that class have any. */
    static boolean areIn(Class<?> message) {
        ErrorCodes codes = OF_CLASS.get(message);
        return codes.own != null || !codes.deeper.isEmpty();
    }

    /** The class of messages that a field holds one or many of, null if it holds something else. */
    private static @Nullable Class<?> messageIn(Field field) {
        Class<?> type = field.getType();
        if (Message.class.isAssignableFrom(type)) {
            return type;
        }
        if (!Collection.class.isAssignableFrom(type)) {
            return null;
        }
        // A list names its elements itself, the generated collections do so in what they extend.
        Type named = type.isInterface() ? field.getGenericType() : type.getGenericSuperclass();
        return named instanceof ParameterizedType of
                        && of.getActualTypeArguments()[0] instanceof Class<?> element
                        && Message.class.isAssignableFrom(element)
                ? element
                : null;
    }

    private static Method getter(Class<?> type, Field field) {
        try {
            return type.getMethod(field.getName());
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("messages have a getter for each field", e);
        }
    }

    /** Tells all codes in the answer. */
    static void of(ApiMessage answer, Sink sink) {
        if (answer instanceof ProduceResponseData produce) {
            ofProduce(produce, sink);
        } else if (answer instanceof FetchResponseData fetch) {
            ofFetch(fetch, sink);
        } else {
            OF_CLASS.get(answer.getClass()).tell(answer, sink);
        }
    }

    private static void ofProduce(ProduceResponseData produce, Sink sink) {
        for (ProduceResponseData.TopicProduceResponse topic : produce.responses()) {
            List<ProduceResponseData.PartitionProduceResponse> partitions = topic.partitionResponses();
            for (int i = 0; i < partitions.size(); i++) {
                sink.take(partitions.get(i).errorCode());
            }
        }
    }

    private static void ofFetch(FetchResponseData fetch, Sink sink) {
        sink.take(fetch.errorCode());
        List<FetchResponseData.FetchableTopicResponse> topics = fetch.responses();
        for (int i = 0; i < topics.size(); i++) {
            List<FetchResponseData.PartitionData> partitions = topics.get(i).partitions();
            for (int j = 0; j < partitions.size(); j++) {
                sink.take(partitions.get(j).errorCode());
            }
        }
    }

    private void tell(Object message, Sink sink) {
        try {
            boolean hasElements = tellDeeper(message, sink);
            if (own != null) {
                short code = (Short) own.invoke(message);
                if (code != Errors.NONE.code() || !hasElements || !WITH_ELEMENTS_INSTEAD.contains(message.getClass())) {
                    sink.take(code);
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the getters of messages are public", e);
        }
    }

    /** Whether there was anything deeper. */
    private boolean tellDeeper(Object message, Sink sink) throws ReflectiveOperationException {
        boolean any = false;
        for (Method field : deeper) {
            Object value = field.invoke(message);
            if (value instanceof Collection<?> messages) {
                for (Object each : messages) {
                    OF_CLASS.get(each.getClass()).tell(each, sink);
                    any = true;
                }
            } else if (value != null) {
                OF_CLASS.get(value.getClass()).tell(value, sink);
                any = true;
            }
        }
        return any;
    }
}
