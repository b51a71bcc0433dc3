package io.highwater.itests;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** How much of what dashboards in wide use ask for is in some scrapes: {@code third-party-series.txt} lists it by who asks. */
final class Coverage {
    private static final String LIST = "/third-party-series.txt";

    private final ScrapedSeries scraped;
    private final Map<String, List<Wanted>> sections = new LinkedHashMap<>();

    /**
     * A series with labels of which all have to be on one of its name.
     *
     * @param reason why we know that we have not got it; empty for what we should have
     */
    private record Wanted(String name, List<String> labels, String reason) {
        boolean isIn(ScrapedSeries scraped) {
            return scraped.of(name).stream().anyMatch(each -> each.keySet().containsAll(labels));
        }
    }

    Coverage(ScrapedSeries scraped) {
        this.scraped = scraped;
        List<Wanted> section = new ArrayList<>();
        for (String line : lines()) {
            if (line.startsWith("== ")) {
                section = sections.computeIfAbsent(line.substring(3), name -> new ArrayList<>());
            } else if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split(" +! ", 2);
                List<String> words = List.of(parts[0].split(" +"));
                section.add(
                        new Wanted(words.get(0), words.subList(1, words.size()), parts.length == 2 ? parts[1] : ""));
            }
        }
    }

    private static List<String> lines() {
        try (InputStream in = Coverage.class.getResourceAsStream(LIST)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From 0 to 1. */
    double share() {
        List<Wanted> all = sections.values().stream().flatMap(List::stream).toList();
        return share(all);
    }

    private double share(List<Wanted> wanted) {
        return (double) wanted.stream().filter(each -> each.isIn(scraped)).count() / wanted.size();
    }

    /** What is not there. */
    Set<String> missing() {
        return names(each -> !each.isIn(scraped));
    }

    /** What the list says is not there. */
    Set<String> knownToBeMissing() {
        return names(each -> !each.reason().isEmpty());
    }

    private Set<String> names(Predicate<Wanted> which) {
        return sections.values().stream()
                .flatMap(List::stream)
                .filter(which)
                .map(each -> each.name() + each.labels())
                .collect(Collectors.toSet());
    }

    /** A line for each who asks, and one for all. */
    String report() {
        String lines = sections.entrySet().stream()
                .map(each -> line(each.getKey(), each.getValue()))
                .collect(Collectors.joining("\n"));
        return lines + "\n"
                + line("all", sections.values().stream().flatMap(List::stream).toList());
    }

    private String line(String who, List<Wanted> wanted) {
        return String.format(
                Locale.ROOT,
                "%-45s %3d of %3d series = %.1f %%",
                who,
                wanted.stream().filter(each -> each.isIn(scraped)).count(),
                wanted.size(),
                100 * share(wanted));
    }
}
