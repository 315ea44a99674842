import type { Theme } from "../theme.ts";

export const gallery: Theme = { home: "pictures" };
