import { createSharedValue } from "./shared-value.ts";

export type Visibility = "public" | "private";

const { visibility } = document.querySelector<HTMLElement>("#studio")?.dataset ?? {};

/** What the site makes of new content for which nothing is chosen. The page has it; saved settings change it. */
const value = createSharedValue<Visibility>(visibility === "public" ? "public" : "private");

export const defaultVisibility = value.read;
export const useDefaultVisibility = value.use;
export const changeDefaultVisibility = value.change;
