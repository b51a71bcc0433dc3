package io.highwater.broker.metrics;

import io.highwater.broker.metrics.Dialects.Dialect;
import io.highwater.controlplane.Measurement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What Kafka's own library measures: the quorum and the controller. */
public final class ControlPlaneMetrics implements SeriesSource {
    private static final String RAFT = "raftmetrics";
    private static final String OTHER_RAFT = "raft_metrics";

    private final Supplier<Collection<Measurement>> measurements;

    /** @param measurements reads them all */
    public ControlPlaneMetrics(Supplier<Collection<Measurement>> measurements) {
        this.measurements = measurements;
    }

    @Override
    public void writeTo(SeriesWriter out) {
        Map<String, List<Measurement>> families = new TreeMap<>();
        for (Measurement each : measurements.get()) {
            families.computeIfAbsent(each.name(), name -> new ArrayList<>()).add(each);
        }
        families.forEach((name, samples) -> writeFamily(out, name, samples));
    }

    private static void writeFamily(SeriesWriter out, String name, List<Measurement> samples) {
        String help = samples.get(0).help();
        switch (samples.get(0).kind()) {
            case METER -> out.meter(name, help, family -> writeSamples(family, samples));
            case COUNTER -> writeSamples(out.counter(name, help), samples);
            case SUMMARY -> writeSamples(out.family(name, "summary", help), samples);
            case GAUGE -> {
                writeSamples(out.gauge(name, help), samples);
                boolean otherNames =
                        out.dialects().has(Dialect.C) || out.dialects().has(Dialect.R);
                if (otherNames && name.contains(RAFT)) {
                    writeSamples(out.gauge(name.replace(RAFT, OTHER_RAFT), help), samples);
                }
                if (out.dialects().has(Dialect.R) && name.endsWith(RAFT + "_current_state")) {
                    writeSamples(out.gauge(name.replace(RAFT, OTHER_RAFT) + "_info", help), samples);
                }
            }
        }
    }

    private static void writeSamples(SeriesWriter family, List<Measurement> samples) {
        for (Measurement each : samples) {
            String[] labels = each.labels().entrySet().stream()
                    .flatMap(label -> List.of(label.getKey(), label.getValue()).stream())
                    .toArray(String[]::new);
            family.part(each.part(), each.value(), labels);
        }
    }
}
