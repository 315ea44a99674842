/** Whether tests with many rounds take all of them, which needs several minutes: `npm run test:long`. */
export const isLong = process.env.TEST_LONG === "true";
