import { createSharedValue } from "./shared-value.ts";

/** Shown in the frame and in the titles of screens. The page has it; saved settings change it. */
const siteName = createSharedValue(document.querySelector<HTMLElement>("#studio")?.dataset.site ?? "");

export const useSiteName = siteName.use;
export const changeSiteName = siteName.change;
