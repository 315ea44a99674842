import type { ExportedRecord } from "../../platform/archives/vitrine-export.ts";
import type { Reader } from "../../platform/database/database.ts";
import { inChunks, list, sql } from "../../platform/database/sql.ts";
import type { ExportedSite, Scope } from "./entry.ts";
import { pathOfGuestPicture, pathOfPoster, pathOfVersion } from "./originals.ts";
import type { PlacedFile, Places } from "./places.ts";
import { readRows } from "./rows.ts";
import type { ExportedTable } from "./exported.ts";
import { type Row, toRecord } from "./values.ts";

type Deps = { scope: Scope; site: ExportedSite; places: Places };

/** What a record says beside the columns of its row, by the file: where its bytes lie in the export, above all. */
type Further = (deps: Deps, rows: Row[]) => Promise<ExportedRecord[]>;

const further: Record<string, Further> = {
  files: ({ places }, rows) =>
    Promise.all(
      rows.map(async (row) => ({
        isDirectory: row["sha256"] === null,
        path: await places.of(row as unknown as PlacedFile),
      })),
    ),
  versions: ({ scope }, rows) => Promise.all(rows.map(async (row) => ({ path: await pathOfVersion(scope.db, row) }))),
  "guest-pictures": async (_, rows) => rows.map((row) => ({ path: pathOfGuestPicture(row) })),
  photos: async ({ scope, site, places }, rows) => {
    const sidecars = await findSidecars(scope.db, places, rows);
    return Promise.all(
      rows.map(async (row) => ({
        sidecarPath: sidecars.get(Number(row["id"])) ?? null,
        posterPath: row["poster_sha256"] === null ? null : await pathOfPoster(site, row),
      })),
    );
  },
  comments: async (_, rows) =>
    rows.map(({ target_kind: kind = null, target_id: id = null }) => ({
      postID: kind === "post" ? id : null,
      photoID: kind === "photo" ? id : null,
      albumID: kind === "album" ? id : null,
    })),
  hearts: async (_, rows) =>
    rows.map(({ target_kind: kind = null, target_id: id = null }) => ({
      targetID: Number(id) * 4 + (heartKinds[String(kind)] ?? 0),
      kind,
      recordID: id,
    })),
  shares: async (_, rows) => rows.map((row) => ({ hasPassword: row["password_hash"] !== null })),
};

/** For a number that stands for a record of any kind. */
const heartKinds: Record<string, number> = { post: 1, photo: 2, album: 3 };

/** The first photo of a file has one. */
async function findSidecars(db: Reader, places: Places, rows: Row[]): Promise<Map<number, string>> {
  const ids = rows.map((row) => Number(row["id"]));
  const found = await inChunks(ids, (some) =>
    db.all<PlacedFile & { photo_id: number }>(sql`
      SELECT photos.id AS photo_id, files.id, files.parent_id, files.trash_id, files.name
      FROM photos JOIN files ON files.id = photos.file_id AND files.sha256 IS NOT NULL
      WHERE photos.id IN (${list(some)}) AND photos.trash_id IS NULL
        AND photos.id = (SELECT min(id) FROM photos AS others
          WHERE others.file_id = files.id AND others.trash_id IS NULL)`),
  );
  const sidecars = new Map<number, string>();
  for (const file of found) sidecars.set(file.photo_id, await places.ofSidecar(file));
  return sidecars;
}

/** The lines of `data/….jsonl`; `count` is called with the number of records. */
export async function* printTable(
  deps: Deps,
  table: ExportedTable,
  count: (records: number) => void,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const rows of readRows(deps.scope, table)) {
    const more = (await further[table.exported.file]?.(deps, rows)) ?? [];
    const lines = rows.map((row, index) => `${JSON.stringify({ ...toRecord(table, row), ...more[index] })}\n`);
    count(rows.length);
    yield encoder.encode(lines.join(""));
  }
}
