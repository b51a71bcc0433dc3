package io.highwater.itests;

import java.util.Collection;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The families of some scrapes as a table for people: name, type, labels, meaning. */
final class MetricFamilies {
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_0-9]+)(?:\\{(.*)})? [^ ]+");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_0-9]+)=\"(?:[^\"\\\\]|\\\\.)*\"");

    private final TreeMap<String, Family> families = new TreeMap<>();

    private static final class Family {
        private String type = "";
        private String help = "";
        private final Set<String> labels = new TreeSet<>();
    }

    MetricFamilies(Collection<Scrape> scrapes) {
        scrapes.forEach(scrape -> read(scrape.text()));
    }

    private void read(String text) {
        Family current = new Family();
        for (String line : text.lines().toList()) {
            String[] words = line.split(" ", 4);
            if (line.startsWith("# HELP ")) {
                current = families.computeIfAbsent(words[2], name -> new Family());
                current.help = words[3];
            } else if (line.startsWith("# TYPE ")) {
                current.type = words[3];
            } else {
                Matcher sample = SAMPLE.matcher(line);
                if (sample.matches() && sample.group(2) != null) {
                    Matcher label = LABEL.matcher(sample.group(2));
                    while (label.find()) {
                        current.labels.add(label.group(1));
                    }
                }
            }
        }
    }

    /** Of all but the JVM and the process, which are told by a library and differ by JVM and system. */
    String table() {
        return families.entrySet().stream()
                .filter(each ->
                        each.getKey().startsWith("kafka_") || each.getKey().startsWith("highwater_"))
                .map(each -> "| `" + each.getKey() + "` | " + each.getValue().type + " | "
                        + String.join(", ", each.getValue().labels) + " | "
                        + each.getValue().help.replace("|", "\\|") + " |")
                .collect(Collectors.joining("\n"));
    }
}
