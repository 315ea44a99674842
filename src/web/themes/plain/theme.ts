import type { Theme } from "../theme.ts";

export const plain: Theme = { home: "list" };
