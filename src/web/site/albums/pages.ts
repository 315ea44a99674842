import type { Trash } from "../../../core/trash/trash.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { Page } from "../page.ts";
import { albumPage } from "./album-page.tsx";
import { albumsPage } from "./albums-page.tsx";

export const albumPages = (db: Database, trash: Trash): Page[] => [albumsPage(db), ...albumPage(db, trash)];
