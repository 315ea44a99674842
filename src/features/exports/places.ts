import { nameKey } from "../../content/files/names.ts";
import type { Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { escapeName, isTooLong, maxPathBytes, shortenName } from "./names.ts";

export type PlacedFile = { id: number; parent_id: number; trash_id: number | null; name: string };

export type Places = {
  /** Where a file or directory lies in the export. */
  of(file: PlacedFile): Promise<string>;
  /** Where what is known of the picture in a file lies: beside it, under a name that no other file has. */
  ofSidecar(file: PlacedFile): Promise<string>;
};

const root = "files";
/** Deeper trees do not exist: this ends a circle in a damaged one. */
const maxDepth = 100;
const maxRemembered = 10_000;

/** `files/` has the tree of the site, `trash/` what is deleted, and `long-names/` what other systems could not store. */
export function createPlaces(db: Reader): Places {
  const remembered = new Map<number, string>();

  async function placeOf({ parent_id, trash_id, name }: PlacedFile, depth: number): Promise<string> {
    const above = trash_id === null ? await directoryOf(parent_id, depth) : `trash/${trash_id}`;
    return `${above}/${escapeName(name)}`;
  }

  async function directoryOf(id: number, depth: number): Promise<string> {
    if (id === 0 || depth > maxDepth) return root;
    const known = remembered.get(id);
    if (known !== undefined) return known;
    const row = await db.get<PlacedFile>(sql`SELECT id, parent_id, trash_id, name FROM files WHERE id = ${id}`);
    const place = row ? await placeOf(row, depth + 1) : root;
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(id, place);
    return place;
  }

  async function of(file: PlacedFile): Promise<string> {
    const place = await placeOf(file, 0);
    const isStorable = Buffer.byteLength(place) <= maxPathBytes && !place.split("/").some(isTooLong);
    return isStorable ? place : `long-names/${file.id}/${shortenName(escapeName(file.name))}`;
  }

  return {
    of,
    async ofSidecar(file) {
      const place = await of(file);
      for (let number = 1; ; number++) {
        const suffix = number === 1 ? ".xmp" : number === 2 ? ".vitrine.xmp" : `.vitrine-${number}.xmp`;
        const isTaken = await db.get(sql`
          SELECT id FROM files WHERE parent_id = ${file.parent_id} AND name_key = ${nameKey(file.name + suffix)}
            AND trash_id IS NULL`);
        if (!isTaken) return place + suffix;
      }
    },
  };
}
