package io.highwater.broker.http;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes values as JSON: records by their components, lists, maps, text, numbers, yes and no, nothing. Any thread. */
final class Json {
    private static final ClassValue<Component[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected Component[] computeValue(Class<?> type) {
            RecordComponent[] declared = type.getRecordComponents();
            if (declared == null) {
                throw new IllegalStateException(type + " cannot be written as JSON");
            }
            Component[] components = new Component[declared.length];
            for (int i = 0; i < declared.length; i++) {
                components[i] = new Component(write(declared[i].getName()) + ":", declared[i].getAccessor());
            }
            return components;
        }
    };

    private final StringBuilder out = new StringBuilder();

    private Json() {}

    /** @param label its name as it is written, with the colon */
    private record Component(String label, Method accessor) {}

    /** The text. */
    static String write(@Nullable Object value) {
        Json json = new Json();
        json.value(value);
        return json.out.toString();
    }

    private void value(@Nullable Object value) {
        if (value instanceof Long || value instanceof Integer) {
            out.append(((Number) value).longValue());
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof CharSequence || value instanceof Enum<?>) {
            text(value.toString());
        } else if (value instanceof Collection<?> list) {
            list(list);
        } else if (value instanceof Map<?, ?> map) {
            map(map);
        } else {
            record(value);
        }
    }

    private void list(Collection<?> list) {
        out.append('[');
        boolean first = true;
        for (Object each : list) {
            if (!first) {
                out.append(',');
            }
            first = false;
            value(each);
        }
        out.append(']');
    }

    private void map(Map<?, ?> map) {
        out.append('{');
        boolean first = true;
        for (Map.Entry<?, ?> each : map.entrySet()) {
            first = name(String.valueOf(each.getKey()), first);
            value(each.getValue());
        }
        out.append('}');
    }

    private void record(Object value) {
        out.append('{');
        String separator = "";
        for (Component component : COMPONENTS.get(value.getClass())) {
            out.append(separator).append(component.label);
            separator = ",";
            try {
                value(component.accessor.invoke(value));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(value.getClass() + " does not tell " + component.label, e);
            }
        }
        out.append('}');
    }

    private boolean name(String name, boolean first) {
        if (!first) {
            out.append(',');
        }
        text(name);
        out.append(':');
        return false;
    }

    private void text(String text) {
        out.append('"');
        if (isPlain(text)) {
            out.append(text);
        } else {
            escape(text);
        }
        out.append('"');
    }

    /** Nearly all are. */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }

    private void escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ') {
                        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
    }
}
