/** The time, and what is done later. Tests have their own clock, so that they need not wait. */
export type Clock = {
  /** In milliseconds, as `Date.now()`. */
  now(): number;
  /** Returns how to cancel it. */
  after(milliseconds: number, act: () => void): () => void;
};

export const clock: Clock = {
  now: () => Date.now(),
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};
