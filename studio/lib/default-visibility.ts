import { page } from "./page.ts";
import { createSharedValue } from "./shared-value.ts";

export type Visibility = "public" | "private";

const { visibility, originals } = page?.querySelector<HTMLElement>("#studio")?.dataset ?? {};

/** What the site makes of new content for which nothing is chosen. The page has it; saved settings change it. */
const value = createSharedValue<Visibility>(visibility === "public" ? "public" : "private");

export const defaultVisibility = value.read;
export const useDefaultVisibility = value.use;
export const changeDefaultVisibility = value.change;

const originalsValue = createSharedValue<"same" | "private">(originals === "same" ? "same" : "private");

/** Whether the files of photos stay private, even if the photos are public. */
export const keepsOriginalsPrivate = (): boolean => originalsValue.read() === "private";
export const changeOriginalVisibility = originalsValue.change;
