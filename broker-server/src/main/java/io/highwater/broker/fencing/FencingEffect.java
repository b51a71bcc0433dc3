package io.highwater.broker.fencing;

/** What {@link Suspicions} want done. */
interface FencingEffect {
    /** Calls the one method of {@code performer} that is meant. */
    void performBy(Performer performer);

    /** Whoever acts. */
    interface Performer {
        void perform(Dial dial);

        void perform(Fence fence);

        void perform(Drop drop);
    }

    /**
     * To be answered with one {@link Suspicions#onDialed}, whatever happens.
     *
     * @param brokerId whose listener is to be tried
     * @param brokerEpoch of the registration that is meant
     * @param number of this dial
     */
    record Dial(int brokerId, long brokerEpoch, long number) implements FencingEffect {
        @Override
        public void performBy(Performer performer) {
            performer.perform(this);
        }
    }

    /**
     * The controller is to fence it; {@link Suspicions#onFencingFailed} if it does not.
     *
     * @param cause why it was looked at
     * @param causeAgeMs since when
     * @param sessionLeftMs how much longer the controller would have waited
     */
    record Fence(int brokerId, long brokerEpoch, SuspicionCause cause, long causeAgeMs, long sessionLeftMs)
            implements FencingEffect {
        @Override
        public void performBy(Performer performer) {
            performer.perform(this);
        }
    }

    /**
     * Nothing is to be done: the session decides. For people who debug.
     *
     * @param reason why not, as the end of a sentence
     */
    record Drop(int brokerId, SuspicionCause cause, String reason) implements FencingEffect {
        @Override
        public void performBy(Performer performer) {
            performer.perform(this);
        }
    }
}
