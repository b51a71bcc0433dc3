package io.highwater.broker.config;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which values of its type a setting takes. Written in the setting tables as their heads explain. */
abstract class AllowedValues {
    /** Whether a parsed value may be used. */
    abstract boolean allows(@Nullable Object value);

    /** Completes the sentence "allowed is ...". */
    abstract String inWords();

    static AllowedValues parse(String text) {
        return switch (text) {
            case "-" -> new Anything();
            case "present" -> new Present();
            case "filled" -> new Filled();
            case "partition:broker" -> new ReplicaList();
            default -> text.contains("..") ? Range.parse(text) : OneOf.parse(text);
        };
    }

    /** Whatever parses. */
    private static final class Anything extends AllowedValues {
        @Override
        boolean allows(@Nullable Object value) {
            return true;
        }

        @Override
        String inWords() {
            return "any value of its type";
        }
    }

    private static final class Present extends AllowedValues {
        @Override
        boolean allows(@Nullable Object value) {
            return value != null;
        }

        @Override
        String inWords() {
            return "any value, even an empty one";
        }
    }

    /** A string or list with something in it; not set at all is fine. */
    private static final class Filled extends AllowedValues {
        @Override
        boolean allows(@Nullable Object value) {
            return value == null
                    || (value instanceof List<?> list
                            ? !list.isEmpty()
                            : !value.toString().isEmpty());
        }

        @Override
        String inWords() {
            return "anything but an empty value";
        }
    }

    /** {@code partition:broker} pairs, or a lone {@code *} for all. */
    private static final class ReplicaList extends AllowedValues {
        @Override
        boolean allows(@Nullable Object value) {
            if (!(value instanceof List<?> list)) {
                return false;
            }
            return (list.size() == 1 && "*".equals(String.valueOf(list.get(0)).trim()))
                    || list.stream()
                            .allMatch(each -> String.valueOf(each).trim().matches("\\d+:\\d+"));
        }

        @Override
        String inWords() {
            return "partition:broker pairs such as 0:1,1:2, or * for all replicas";
        }
    }

    /** A number between two ends (inclusive), or one lone number beside them. */
    private static final class Range extends AllowedValues {
        private final double least;
        private final double most;
        private final double beside;
        private final String words;

        private Range(double least, double most, double beside, String words) {
            this.least = least;
            this.most = most;
            this.beside = beside;
            this.words = words;
        }

        static Range parse(String text) {
            String[] rangeAndBeside = text.split(",", 2);
            String[] ends = rangeAndBeside[0].split("\\.\\.", 2);
            double least = Double.parseDouble(ends[0]);
            double most = ends[1].isEmpty() ? Double.POSITIVE_INFINITY : Double.parseDouble(ends[1]);
            double beside = rangeAndBeside.length == 1 ? Double.NaN : Double.parseDouble(rangeAndBeside[1]);
            String words = ends[1].isEmpty() ? ends[0] + " or more" : ends[0] + " to " + ends[1];
            return new Range(least, most, beside, Double.isNaN(beside) ? words : words + ", or " + rangeAndBeside[1]);
        }

        @Override
        boolean allows(@Nullable Object value) {
            if (!(value instanceof Number number)) {
                return value == null;
            }
            double asked = number.doubleValue();
            return (asked >= least && asked <= most) || asked == beside;
        }

        @Override
        String inWords() {
            return words;
        }
    }

    /** One of some words; for a list each element is. */
    private static final class OneOf extends AllowedValues {
        private final List<String> words;
        private final boolean anyCase;

        private OneOf(List<String> words, boolean anyCase) {
            this.words = words;
            this.anyCase = anyCase;
        }

        static OneOf parse(String text) {
            boolean anyCase = text.endsWith("|?i");
            String plain = anyCase ? text.substring(0, text.length() - "|?i".length()) : text;
            return new OneOf(List.copyOf(Arrays.asList(plain.split("\\|", -1))), anyCase);
        }

        @Override
        boolean allows(@Nullable Object value) {
            if (value instanceof List<?> list) {
                return list.stream().allMatch(each -> isOne(String.valueOf(each)));
            }
            return value != null && isOne(value.toString());
        }

        private boolean isOne(String asked) {
            return words.stream().anyMatch(word -> anyCase ? word.equalsIgnoreCase(asked) : word.equals(asked));
        }

        @Override
        String inWords() {
            return (anyCase ? "in any case: " : "") + String.join(", ", words);
        }
    }
}
