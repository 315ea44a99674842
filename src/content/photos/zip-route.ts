import { z } from "zod";
import { missing } from "../../platform/errors.ts";
import type { StoredFile } from "../files/file.ts";
import { maxChosen, zipFiles } from "../files/zip.ts";
import type { Reader } from "../../platform/database/database.ts";
import { inChunks, list, sql } from "../../platform/database/sql.ts";
import { type Route, route, type Viewer } from "../../platform/http/route.ts";
import { queryIDs, toIDs } from "../../platform/http/validate.ts";
import { isLive } from "../../core/trash/trash.ts";
import { isVisibleTo, thisTable } from "../../core/records/visibility.ts";
import { findPhotoFiles, photosAtOnce } from "./store.ts";
import { createPhotoOpener } from "./zip-entries.ts";

type Deps = Parameters<typeof createPhotoOpener>[0] & { db: Reader };

export const zipRoute = ({ db, ...stores }: Deps): Route =>
  route({
    method: "GET",
    path: "/api/v1/photos/zip",
    name: "zipPhotos",
    tag: "Photos",
    summary: "Download the files of chosen photos as a zip archive",
    details:
      "In the order of `ids`. Files that you may not see are left out, and a number is added to equal names. Each file has the same bytes as a download of its `content`; one that you may not download is replaced by a note. Of a cropped photo, those who may not change it get the picture as it is cropped, as a JPEG.",
    limit: "media",
    personal: true,
    query: z.object({ ids: queryIDs(maxChosen).meta({ description: `Up to ${maxChosen} photos.` }) }),
    response: { contentTypes: ["application/zip"], description: "The archive, created while it is sent" },
    statuses: { 404: "There is no such photo" },
    async handle({ query, viewer }) {
      const ids = toIDs(query.ids);
      await checkFound(db, viewer, ids);
      return zipFiles({ db, viewer, open: createPhotoOpener(stores, viewer) }, "photos", listFiles(db, viewer, ids));
    },
  });

async function checkFound(db: Reader, viewer: Viewer, ids: number[]): Promise<void> {
  const rows = await inChunks(ids, (some) =>
    db.all<{ id: number }>(
      sql`SELECT id FROM photos WHERE id IN (${list(some)}) AND ${isLive} AND ${isVisibleTo(viewer, thisTable)}`,
    ),
  );
  const found = new Set(rows.map(({ id }) => id));
  const unknown = ids.find((id) => !found.has(id));
  if (unknown !== undefined) throw missing(`photo ${unknown}`);
}

async function* listFiles(db: Reader, viewer: Viewer, ids: number[]): AsyncGenerator<StoredFile[]> {
  for (let start = 0; start < ids.length; start += photosAtOnce) {
    yield await findPhotoFiles(db, viewer, ids.slice(start, start + photosAtOnce));
  }
}
