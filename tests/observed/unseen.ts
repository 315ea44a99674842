import type { Call } from "./row-types.ts";

/** Files whose calls return rows only outside of the processes of the tests, or on an engine that is not always there. */
const expected: Record<string, string> = {};

export const isExpectedUnseen = ({ file }: Call): boolean => file in expected;
