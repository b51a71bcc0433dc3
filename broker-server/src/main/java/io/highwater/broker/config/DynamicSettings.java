package io.highwater.broker.config;

/** What of a broker's settings may change while it runs. */
public final class DynamicSettings {
    private DynamicSettings() {}

    /** Whether the setting is one of Kafka's, ours included, that only a restart changes. Unknown names are not. */
    public static boolean isFixed(String name) {
        Setting setting = SettingTable.BROKER.find(name);
        return setting != null && setting.change() == Setting.Change.FIXED;
    }

    /** Whether the setting can only be given to one broker at a time. */
    public static boolean isPerBroker(String name) {
        String base = KnownNames.baseName(name);
        Setting setting = SettingTable.BROKER.find(base);
        boolean ofListener = !base.equals(name);
        return setting != null
                && (setting.change() == Setting.Change.BROKER || (ofListener && !isSharedByListeners(base)));
    }

    /**
     * Accepts a value for a changeable setting, or for a name that is unknown here.
     *
     * @throws InvalidSettingException if the value is wrong or the setting is fixed
     */
    static void check(String name, String value) {
        if (isFixed(name)) {
            throw new InvalidSettingException(name, name + " cannot change while a broker runs");
        }
        Setting setting = SettingTable.BROKER.find(KnownNames.baseName(name));
        if (setting != null) {
            setting.parse(value);
        }
    }

    private static boolean isSharedByListeners(String base) {
        return base.equals("max.connections")
                || base.equals("max.connection.creation.rate")
                || base.equals("num.network.threads");
    }
}
