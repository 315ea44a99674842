let steps = 0;

/** Something was read that others have written. */
export const noteProgress = (): void => void steps++;

/** How often something was read: a process in which this grows comes on. */
export const countProgress = (): number => steps;
