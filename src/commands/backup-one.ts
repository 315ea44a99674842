import { openForAdding } from "../engines.ts";
import type { RecordKind } from "../core/records/record-kind.ts";
import { holdBlobs } from "../core/storage/holds.ts";
import { findUserByName, listUsers } from "../core/users/store.ts";
import type { User } from "../core/users/user.ts";
import { listContents } from "../features/backups/contents.ts";
import { restoreRecord } from "../features/backups/restore-one.ts";
import type { Outcome } from "../features/backups/restoring.ts";
import { findersOf, kindsOf, type Module } from "../module.ts";
import { BackupError } from "../platform/backups/place.ts";
import type { Repository } from "../platform/backups/repository.ts";
import { openBackedUp, restoreFile } from "../platform/backups/restore.ts";
import type { Manifest } from "../platform/backups/snapshot.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import type { Database, Reader } from "../platform/database/database.ts";
import { raw, sql } from "../platform/database/sql.ts";
import { chooseManifest, withRepository } from "./backup-work.ts";
import { type Call, UsageError } from "./command.ts";

type Opened = {
  repository: Repository;
  manifest: Manifest;
  /** The database of the backup. */
  backup: Database;
  site: { db: Database; blobs: Pick<Blobs, "has" | "receive"> };
};

/** Opens a backup, and the site to which it is compared or restored. */
const withBackup = ({ config, schema, options }: Call, work: (opened: Opened) => Promise<void>): Promise<number> =>
  withRepository(config, options.from ?? "", "read", async (repository) => {
    const manifest = await chooseManifest(repository, options.snapshot);
    const site = await openForAdding(config, schema);
    try {
      const backup = await openBackedUp(repository, manifest, schema, options.kept);
      try {
        await work({ repository, manifest, backup, site });
      } finally {
        await backup.close();
      }
    } finally {
      await site.close();
    }
    return 0;
  });

export function contents(call: Call, modules: readonly Module[]): Promise<number> {
  const { search = "", kind = null, limit = "50", json } = call.options;
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw new UsageError(`--limit must be a number, not "${limit}".`);
  const kinds = kindsOf(modules);
  if (kind !== null) checkWord(kinds, kind);
  return withBackup(call, async ({ manifest, backup, site }) => {
    const found = await listContents(backup, site.db, kinds, { search, kind, limit: Number(limit) });
    if (json !== undefined) return console.log(JSON.stringify({ backup: manifest.id, ...found }, null, 2));
    for (const { kind: word, id, name, createdAt, state } of found.records) {
      console.log(`${state.padEnd(8)}  ${createdAt}  ${word}:${id}  ${name}`);
    }
    console.log(`${found.total} found in the backup ${manifest.id}, ${found.records.length} of them listed.`);
  });
}

export function restoreOne(call: Call, modules: readonly Module[]): Promise<number> {
  const { only = "", as, json } = call.options;
  const kinds = kindsOf(modules);
  let code = 0;
  const restoring = withBackup(call, async ({ repository, manifest, backup, site }) => {
    const wanted = await findWanted(backup, kinds, only);
    const actor = as === undefined ? null : await getAdmin(site.db, as);
    await using _hold = await holdBlobs(site.db);
    const outcomes = await restoreRecord(
      { db: backup, storeBlob: (sha256, blobs) => restoreFile(repository, sha256, blobs) },
      {
        ...site,
        kinds,
        tables: call.schema.tables,
        findUses: findersOf(modules),
        quotaBytes: call.config.quotaBytes,
        actorID: actor?.id ?? null,
        heirID: async () => (actor ?? (await findOnlyAdmin(site.db))).id,
      },
      wanted,
    );
    if (outcomes.some(({ state }) => state === "failed")) code = 1;
    if (json === undefined) for (const outcome of outcomes) console.log(describeOutcome(outcome));
    else console.log(JSON.stringify({ backup: manifest.id, outcomes }));
  });
  return restoring.then(() => code);
}

function describeOutcome({ kind, id, name, state, newID, reason }: Outcome): string {
  const record = `${kind} ${id} "${name}"`;
  if (state === "failed") return `${record} could not be restored: ${reason}`;
  if (state === "trashed") return `${record} is in the trash: restore it from there.`;
  if (state === "present") return `${record} is there already${newID === id ? "" : `, as ${kind} ${newID}`}.`;
  return `${record} was restored${newID === id ? "" : ` as ${kind} ${newID}, because its id is in use`}.`;
}

/** `photo:17`, `directory:/a/b`, or a path alone. */
async function findWanted(backup: Reader, kinds: RecordKind[], only: string): Promise<{ kind: string; id: number }> {
  const [, word, name = ""] = only.startsWith("/") ? [only, null, only] : (/^([a-z]+):(.+)$/s.exec(only) ?? []);
  if (word === undefined) throw new UsageError(`--only must be like photo:17, or a path that begins with /.`);
  const { kind, where } = word === null ? { kind: findNamed(kinds), where: sql`1 = 1` } : checkWord(kinds, word);
  const id = /^\d{1,16}$/.test(name) ? Number(name) : await kind.restorable?.find?.(backup, name);
  const row = id ? await backup.get(sql`SELECT id FROM ${raw(kind.table)} WHERE id = ${id} AND ${where}`) : null;
  if (id && row) return { kind: kind.name, id };
  throw new BackupError(`The backup does not contain ${only}.`);
}

function checkWord(kinds: RecordKind[], word: string) {
  for (const kind of kinds) {
    const where = Object.hasOwn(kind.restorable?.words ?? {}, word) ? kind.restorable?.words[word] : undefined;
    if (where) return { kind, where };
  }
  const words = kinds.flatMap(({ restorable }) => Object.keys(restorable?.words ?? {}));
  throw new UsageError(`Unknown kind ${word}: use one of ${words.join(", ")}.`);
}

function findNamed(kinds: RecordKind[]): RecordKind {
  const kind = kinds.find(({ restorable }) => restorable?.find);
  if (!kind) throw new UsageError("No records have paths.");
  return kind;
}

async function getAdmin(db: Reader, name: string): Promise<User> {
  const user = await findUserByName(db, name);
  if (user?.role === "admin") return user;
  throw new BackupError(`${name} is not the name of an admin.`);
}

async function findOnlyAdmin(db: Reader): Promise<User> {
  const [admin, ...others] = (await listUsers(db)).filter(({ role }) => role === "admin");
  if (admin && others.length === 0) return admin;
  throw new BackupError(
    `Its owner has no account any more, and there is ${admin ? "more than one" : "no"} admin: choose who gets it with --as NAME.`,
  );
}
