import { rm } from "node:fs/promises";
import { findSiteID } from "../../core/images/public-names.ts";
import { formatVersion, indexName } from "../../platform/archives/vitrine-export.ts";
import { makeFile, newPath } from "../../platform/backups/made.ts";
import { sql } from "../../platform/database/sql.ts";
import { peekSqlite } from "../../platform/database/sqlite.ts";
import { version as programVersion } from "../../platform/version.ts";
import type { Reader } from "../../platform/database/database.ts";
import { invalid, missing } from "../../platform/errors.ts";
import { printTable } from "./data.ts";
import type { Entry, ExportedSite, Scope, Target } from "./entry.ts";
import { listFurtherBytes, listOriginals, textEntry } from "./originals.ts";
import { createPlaces } from "./places.ts";
import { readme } from "./readme.ts";
import { conditionsOf, listExported } from "./exported.ts";
import { listTexts } from "./written.ts";

export const sumsName = "SHA256SUMS";

type Options = {
  /** Only what belongs to this person; null for the whole site. */
  owner: string | null;
  /** Files are made here before they are written. */
  workDirectory: string;
  signal: AbortSignal;
  say(line: string): void;
};

export type Summary = { files: number; bytes: number; lost: string[] };

const sayEvery = 1000;

/** Writes a whole site, or what belongs to one person, as of one moment, even while servers use it. */
export async function writeExport(
  site: ExportedSite,
  openTarget: (moment: Date) => Promise<Target>,
  options: Options,
): Promise<Summary> {
  const path = newPath(options.workDirectory);
  await using _hold = await site.holdBlobs();
  const moment = new Date();
  await site.exportDatabase(path);
  try {
    return await peekSqlite(path, async (db) => {
      const personID = options.owner === null ? null : await findPerson(db, options.owner);
      const target = await openTarget(moment);
      try {
        return await writeTo(target, { site, scope: { db, personID, schema: site.schema }, moment }, options);
      } catch (error) {
        await target.abandon();
        throw error;
      }
    });
  } finally {
    await rm(path, { force: true });
  }
}

async function findPerson(db: Reader, username: string): Promise<number> {
  const row = await db.get<{ id: number }>(sql`SELECT id FROM users WHERE username = ${username.normalize("NFC")}`);
  if (!row) throw missing(`user ${username}`);
  return row.id;
}

type Source = { site: ExportedSite; scope: Scope; moment: Date };

async function writeTo(target: Target, source: Source, options: Options): Promise<Summary> {
  const { moment, scope } = source;
  const { signal, say, workDirectory, owner } = options;
  const encoder = new TextEncoder();
  const lost: string[] = [];
  const counts: Record<string, number> = {};
  let [files, bytes] = [0, 0];

  /** Adds everything, and prints the checksums of what was added, as `sha256sum --check` reads them. */
  async function* addAll(): AsyncGenerator<Uint8Array> {
    for await (const entry of listEntries(source, counts, workDirectory)) {
      if (signal.aborted) throw invalid("The export was interrupted, and is not complete: run it again to continue.");
      const isThere = await target.add(entry);
      if ("isDirectory" in entry) continue;
      if ("file" in entry.bytes) await rm(entry.bytes.file, { force: true });
      if (isThere) yield encoder.encode(`${entry.sha256}  ${entry.path}\n`);
      else lost.push(entry.path);
      bytes += isThere ? entry.size : 0;
      if (++files % sayEvery === 0) say(`${files} files so far, ${(bytes / 1e6).toFixed(1)} MB`);
    }
  }

  const sums = await makeFile(workDirectory, addAll());
  const { size, sha256 } = sums;
  await target.add({ path: sumsName, modifiedAt: moment.getTime(), size, sha256, bytes: { file: sums.path } });
  await rm(sums.path, { force: true });
  const index = {
    format: "vitrine-export",
    formatVersion,
    program: `vitrine ${programVersion}`,
    isComplete: true,
    exportedAt: moment.toISOString(),
    site: await readSiteName(scope.db),
    siteID: await findSiteID(scope.db),
    owner,
    records: counts,
    lastIDs: owner === null ? await readLastIDs(scope) : {},
    missing: lost,
  };
  await target.finish(textEntry(indexName, `${JSON.stringify(index, null, 2)}\n`, moment.getTime()));
  return { files, bytes, lost };
}

async function* listEntries(
  { site, scope, moment }: Source,
  counts: Record<string, number>,
  workDirectory: string,
): AsyncGenerator<Entry> {
  const places = createPlaces(scope.db);
  yield textEntry("README.txt", readme, moment.getTime());
  yield* listOriginals(scope, places);
  yield* listFurtherBytes(scope, site);
  yield* listTexts(scope, places);
  for (const table of listExported(site.schema)) {
    const { file: name, isPersonal } = table.exported;
    if (scope.personID === null ? isPersonal : conditionsOf(table, scope.personID) === null) continue;
    const count = (records: number) => void (counts[name] = (counts[name] ?? 0) + records);
    count(0);
    const made = await makeFile(workDirectory, printTable({ scope, site, places }, table, count));
    const { path: file, size, sha256 } = made;
    yield { path: `data/${name}.jsonl`, modifiedAt: moment.getTime(), size, sha256, bytes: { file } };
  }
}

async function readSiteName(db: Reader): Promise<string | null> {
  const row = await db.get<{ value: string }>(sql`SELECT value FROM site_settings WHERE name = 'siteName'`);
  return row ? (JSON.parse(row.value) as string) : null;
}

/** The highest id that each table has ever given: none is given again, even if its record is gone. */
async function readLastIDs({ db, schema }: Scope): Promise<Record<string, number>> {
  const rows = await db.all<{ name: string; seq: number }>(sql`SELECT name, seq FROM sqlite_sequence`);
  const last = new Map(rows.map(({ name, seq }) => [name, seq]));
  return Object.fromEntries(
    listExported(schema).flatMap(({ name, exported: { file, isPersonal } }) =>
      last.has(name) && !isPersonal ? [[file, last.get(name) as number]] : [],
    ),
  );
}
