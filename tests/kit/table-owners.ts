import { fileURLToPath } from "node:url";
import type { Module } from "../../src/module.ts";

const root = fileURLToPath(new URL("../../src/", import.meta.url));

/** The folder of a module, given the path of a file below `src/`: `content/photos`. */
export const moduleOf = (file: string): string =>
  file.startsWith("platform/") ? "platform" : file.split("/").slice(0, -1).slice(0, 2).join("/");

/** What each module declares, by its folder. */
export function readDeclarations(): Promise<(readonly [folder: string, declaration: Module])[]> {
  const files = [...new Bun.Glob("**/module.ts").scanSync(root)].filter((name) => name !== "module.ts");
  return Promise.all(
    files.map(async (name) => [moduleOf(name), Object.values(await import(root + name))[0] as Module] as const),
  );
}

/** The module that may write to each table. */
export async function ownersOfTables(): Promise<Map<string, string>> {
  const owners = new Map(platformTables.map((name) => [name, "platform"]));
  for (const [folder, { tables = [] }] of await readDeclarations()) {
    for (const { name } of tables) owners.set(name, folder);
  }
  return owners;
}

/** Tables that no module declares. */
const platformTables =
  "documents documents_index documents_waiting list_counts idempotency_keys settings leases migrations programs tasks written_tables sqlite_sequence".split(
    " ",
  );

/** The files that write to tables whose names they are given, and where these names come from. No other file may. */
export const writersOfAnyTable: Record<string, string> = {
  "src/platform/database/copy-rows.ts": "every declared table is copied",
  "src/platform/database/counts.ts": "a module declares a table of counts",
  "src/platform/database/lists.ts": "a part of list_counts",
  "src/platform/database/maintained.ts": "a module declares a derived column of its table",
  "src/platform/database/remove-rows.ts": "a module removes old rows of its own table",
  "src/platform/database/temporary-tables.ts": "tables of a file of its own, which no site has",
  "src/platform/database/salvage-references.ts": "the draft of a rescued database, before it is a site",
  "src/core/trash/store.ts": "the table of a kind of records that is declared as trashable",
  "src/core/users/finish-removal.ts": "modules declare what happens to the rows of a user who is removed",
};
