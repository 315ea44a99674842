import type { Trash } from "../../../core/trash/trash.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { Page } from "../page.ts";
import { mapPage } from "./map-page.tsx";
import { photoPage } from "./photo-page.tsx";
import { photosPage } from "./photos-page.tsx";

export const photoPages = (db: Database, trash: Trash, mediaOrigin: string | null): Page[] => [
  photosPage(db),
  mapPage(db, mediaOrigin),
  ...photoPage(db, trash),
];
