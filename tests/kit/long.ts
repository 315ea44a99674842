import { test } from "bun:test";

/** Whether everything runs, also what takes many rounds: `npm run test:long`. */
export const isLong = process.env.TEST_LONG === "true";

/** A test that `npm test` leaves to `npm run test:long`. */
export const testLong = isLong ? test : test.skip;
