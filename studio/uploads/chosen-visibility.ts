import { defaultVisibility, useDefaultVisibility, type Visibility } from "../lib/default-visibility.ts";
import { createSharedValue } from "../lib/shared-value.ts";

/** Null until the person chooses in this tab: then the default applies. */
const chosen = createSharedValue<Visibility | null>(null);

/** What uploads become. `usual`: what they are at this place as long as nothing is chosen; otherwise as the site has it. */
export const uploadVisibility = (usual: Visibility = defaultVisibility()): Visibility => chosen.read() ?? usual;

export function useUploadVisibility(usual?: Visibility): Visibility {
  const ofSite = useDefaultVisibility();
  return chosen.use() ?? usual ?? ofSite;
}

/** For this tab, until it is loaded again. */
export const chooseUploadVisibility = chosen.change;
