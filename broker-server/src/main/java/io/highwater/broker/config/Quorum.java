package io.highwater.broker.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads who the controllers are. */
final class Quorum {
    static final String VOTERS = "controller.quorum.voters";
    static final String BOOTSTRAP_SERVERS = "controller.quorum.bootstrap.servers";

    private static final Pattern VOTER = Pattern.compile("(\\d{1,9})@(.+:\\d{1,5})");

    private Quorum() {}

    /** Host:port by node id, in the order given. */
    static Map<Integer, String> voters(List<String> entries) {
        Map<Integer, String> voters = new LinkedHashMap<>();
        for (String entry : entries) {
            Matcher matcher = VOTER.matcher(entry);
            if (!matcher.matches()) {
                throw new InvalidSettingException(
                        VOTERS, VOTERS + " has the entry " + entry + "; allowed is ID@HOST:PORT");
            }
            voters.put(Integer.valueOf(matcher.group(1)), matcher.group(2));
        }
        return voters;
    }
}
