import type { AppKey } from "../../client/src/index.ts";
import type { KeyLimit } from "./limit-field.tsx";
import { keyTexts as t } from "./texts.ts";

export type Scope = AppKey["scopes"][number];

/** What a scope means where the key reaches. */
export function labelOf(scope: Scope, where: KeyLimit["where"]): string {
  if (where === "everywhere") return t.can[scope];
  if (scope === "read") return where === "directory" ? t.readDirectory : t.readAlbum;
  return scope === "photos:write" ? t.addPhotos : t.can[scope];
}
