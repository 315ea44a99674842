import type { Reader } from "../../../platform/database/database.ts";
import type { Page } from "../page.ts";
import { photoPage } from "./photo-page.tsx";
import { photosPage } from "./photos-page.tsx";

export const photoPages = (db: Reader): Page[] => [photosPage(db), photoPage(db)];
