import type { Theme } from "../theme.ts";

export const magazine: Theme = { home: "lead" };
