package io.highwater.broker.http;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what {@link Json} has written back into records. Missing members are null, 0 or empty; those of no component are ignored. */
final class JsonRecords {
    /** Looked up once: brokers ask each other several times a second. */
    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            String[] names = new String[components.length];
            Type[] types = new Type[components.length];
            Class<?>[] raw = new Class<?>[components.length];
            for (int i = 0; i < components.length; i++) {
                names[i] = components[i].getName();
                types[i] = components[i].getGenericType();
                raw[i] = components[i].getType();
            }
            try {
                return new Shape(names, types, type.getDeclaredConstructor(raw));
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(type + " cannot be made", e);
            }
        }
    };

    private JsonRecords() {}

    /** The components of a record, in their order. */
    private static final class Shape {
        final String[] names;
        final Type[] types;
        final Constructor<?> constructor;

        Shape(String[] names, Type[] types, Constructor<?> constructor) {
            this.names = names;
            this.types = types;
            this.constructor = constructor;
        }
    }

    /**
     * Reads one record.
     *
     * @throws IllegalArgumentException if the text is not JSON, or not of this shape
     */
    static <T extends Record> T read(String text, Class<T> type) {
        try {
            return type.cast(record(new JsonObject(text), type));
        } catch (DecodeException | ClassCastException e) {
            throw new IllegalArgumentException("not a " + type.getSimpleName() + ": " + e.getMessage(), e);
        }
    }

    private static Object record(JsonObject json, Class<?> type) {
        Shape shape = SHAPES.get(type);
        @Nullable Object[] values = new @Nullable Object[shape.names.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(json.getValue(shape.names[i]), shape.types[i]);
        }
        try {
            return shape.constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException("not a " + type.getSimpleName() + ": " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " cannot be made", e);
        }
    }

    private static @Nullable Object value(@Nullable Object json, Type type) {
        if (type instanceof ParameterizedType list) {
            return list((JsonArray) json, list.getActualTypeArguments()[0]);
        }
        Class<?> raw = (Class<?>) type;
        if (raw == int.class) {
            return json == null ? 0 : ((Number) json).intValue();
        }
        if (raw == Integer.class) {
            return json == null ? null : ((Number) json).intValue();
        }
        if (raw == long.class) {
            return json == null ? 0L : ((Number) json).longValue();
        }
        if (raw == Long.class) {
            return json == null ? null : ((Number) json).longValue();
        }
        if (raw == boolean.class) {
            return json != null && (Boolean) json;
        }
        if (json == null) {
            return null;
        }
        return raw == String.class ? (String) json : record((JsonObject) json, raw);
    }

    private static List<Object> list(@Nullable JsonArray json, Type of) {
        List<Object> values = new ArrayList<>();
        if (json != null) {
            for (int i = 0; i < json.size(); i++) {
                Object value = value(json.getValue(i), of);
                if (value != null) {
                    values.add(value);
                }
            }
        }
        return List.copyOf(values);
    }
}
