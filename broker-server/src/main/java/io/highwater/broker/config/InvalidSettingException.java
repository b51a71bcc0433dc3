package io.highwater.broker.config;

/** A setting that keeps the broker from starting (or a change from being taken). The message is one clear sentence for its user. */
public final class InvalidSettingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String setting;

    /**
     * @param setting name of the setting to blame
     * @param message one sentence: the value, and what is allowed
     */
    public InvalidSettingException(String setting, String message) {
        super(message);
        this.setting = setting;
    }

    /** Name of the setting to blame. */
    public String setting() {
        return setting;
    }
}
