package io.highwater.itests;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a PromQL expression asks a scrape for: its selectors, and the labels that it groups or joins by. As much of the language as ours
 * use; whether an expression is well formed is for Prometheus to say.
 */
record PromQuery(String text, List<Selector> selectors, Set<String> groupedBy) {
    private static final Pattern TOKEN = Pattern.compile(
            "\"(?:[^\"\\\\]|\\\\.)*\"|\\[[^\\]]*]|[a-zA-Z_:][a-zA-Z0-9_:]*|[0-9][0-9a-z.]*|=~|!~|!=|==|<=|>=|\\S");
    private static final Set<String> BEFORE_LABELS =
            Set.of("by", "without", "on", "ignoring", "group_left", "group_right");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");

    /** What is between a series' braces has to hold; {@code $x} for a value is whatever somebody chooses, a label that is there. */
    record Condition(String label, String operator, String value) {
        boolean holds(Map<String, String> labels) {
            String there = labels.getOrDefault(label, "");
            if (value.startsWith("$")) {
                return !there.isEmpty();
            }
            return switch (operator) {
                case "=" -> there.equals(value);
                case "!=" -> !there.equals(value);
                case "=~" -> there.matches(value);
                case "!~" -> !there.matches(value);
                default -> throw new IllegalArgumentException(operator);
            };
        }
    }

    /** Series by name and conditions. */
    record Selector(String name, List<Condition> conditions) implements Predicate<Map<String, String>> {
        @Override
        public boolean test(Map<String, String> labels) {
            return conditions.stream().allMatch(each -> each.holds(labels));
        }
    }

    static PromQuery parse(String text) {
        List<String> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(text);
        while (matcher.find()) {
            tokens.add(matcher.group());
        }
        List<Selector> selectors = new ArrayList<>();
        Set<String> groupedBy = new LinkedHashSet<>();
        for (int i = 0; i < tokens.size(); i++) {
            String token = tokens.get(i);
            String next = i + 1 < tokens.size() ? tokens.get(i + 1) : "";
            if (BEFORE_LABELS.contains(token)) {
                int end = i + 1;
                if (next.equals("(")) {
                    end = i + 1 + tokens.subList(i + 1, tokens.size()).indexOf(")");
                    tokens.subList(i + 2, end).stream()
                            .filter(each -> !each.equals(","))
                            .forEach(groupedBy::add);
                }
                i = end;
            } else if (Character.isLetter(token.charAt(0))
                    && !WORDS.contains(token)
                    && !next.equals("(")
                    && !BEFORE_LABELS.contains(next)) {
                List<Condition> conditions = new ArrayList<>();
                if (next.equals("{")) {
                    for (i += 2; !tokens.get(i).equals("}"); ) {
                        String quoted = tokens.get(i + 2);
                        conditions.add(new Condition(
                                tokens.get(i), tokens.get(i + 1), quoted.substring(1, quoted.length() - 1)));
                        i += tokens.get(i + 3).equals(",") ? 4 : 3;
                    }
                }
                selectors.add(new Selector(token, conditions));
            }
        }
        return new PromQuery(text, selectors, groupedBy);
    }

    /** What of it no scrape has, in words; empty when all of it is there. */
    List<String> missingFrom(ScrapedSeries scraped) {
        List<String> missing = new ArrayList<>();
        Set<String> labels = new HashSet<>();
        for (Selector selector : selectors) {
            List<Map<String, String>> family = scraped.of(selector.name());
            family.forEach(each -> labels.addAll(each.keySet()));
            if (family.isEmpty()) {
                missing.add(selector.name() + " does not exist");
            } else if (family.stream().noneMatch(selector)) {
                missing.add("no series " + selector);
            }
        }
        groupedBy.stream()
                .filter(label -> !labels.contains(label))
                .forEach(label -> missing.add("no series has a label " + label));
        return missing.stream().map(each -> each + ", asked for by " + text).toList();
    }
}
