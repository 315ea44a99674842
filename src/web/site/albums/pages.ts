import type { Reader } from "../../../platform/database/database.ts";
import type { Page } from "../page.ts";
import { albumPage } from "./album-page.tsx";
import { albumsPage } from "./albums-page.tsx";

export const albumPages = (db: Reader): Page[] => [albumsPage(db), albumPage(db)];
