import { parsePath } from "../content/files/names.ts";
import { holdBlobs } from "../core/storage/holds.ts";
import { createTrash } from "../core/trash/store.ts";
import { findUserByName, listUsers } from "../core/users/store.ts";
import type { User } from "../core/users/user.ts";
import { openForAdding } from "../engines.ts";
import { createProgressKeeper } from "../features/imports/progress.ts";
import { findAuthors } from "../features/imports/import-people.ts";
import { nameOf, runImport } from "../features/imports/run-import.ts";
import { ServerGone } from "../platform/pipes/failures.ts";
import type { Source } from "../features/imports/lines.ts";
import type { SourceOptions } from "../../convert/format/job.ts";
import { undoImport } from "../features/imports/undo.ts";
import { kindsOf, type Module, reactionsOf } from "../module.ts";
import type { Reader } from "../platform/database/database.ts";
import { endSignals } from "../platform/end-signals.ts";
import { invalid, missing, Problem } from "../platform/errors.ts";
import { type Caller, mayActAs } from "../platform/http/route.ts";
import { watchMemory } from "../platform/release-memory.ts";
import { type Call, UsageError } from "./command.ts";
import { importExport } from "./import-export.ts";
import { openMachine } from "./import-machine.ts";
import { openOrigin } from "./import-origin.ts";
import { createImportOutput } from "./import-output.ts";

/** What shells say of a program that was ended by Ctrl-C. */
const interruptedCode = 130;

class Interrupted extends Error {
  constructor(
    message = "The import was interrupted. What was imported so far is kept: run the same command again to go on.",
  ) {
    super(message);
  }
}

export async function runImportCommand(call: Call, modules: readonly Module[]): Promise<number> {
  const { words, options, config, schema } = call;
  if (options.undo === undefined && words.length === 0) throw new UsageError("import needs a SOURCE, or --undo ID.");
  const site = await openForAdding(config, schema, "import to it");
  try {
    if (options.undo !== undefined) return await undo(call, modules, site.db);
    const code = await importExport(call, modules, site);
    if (code !== null) return code;
    const owner = await findOwner(site.db, options.owner);
    const wish = readWish(options, config.allowPrivateWebhooks);
    const { source: opened, name: otherwise } = await openOrigin(words, {
      site: config,
      db: site.db,
      options: wish,
      files: options.files ?? ".",
    });
    await using recognised = opened;
    const { head, totals } = recognised;
    const to = parsePath(options.to ?? head.directory, "--to");
    const name = nameOf(head, to, otherwise);
    const output = createImportOutput(options.json !== undefined, totals);
    const source = beginning(recognised, () => {
      const entries = totals.items ?? totals.files;
      output.begin({ kind: head.program, entries, visibility: wish.visibility }, owner.username);
    });
    const hasPhotos = head.alwaysHasPhotos || wish.hasPhotos || wish.hasAlbums;
    const authors = await findAuthors(site.db, readAuthors(options.author));
    using machine = openMachine(site, config, modules);
    await using _hold = await holdBlobs(site.db);
    const isDryRun = options["dry-run"] !== undefined;
    const keep = createProgressKeeper(site.db, totals);
    const memory = watchMemory(site.db.releaseMemory);
    using interrupted = watchInterrupt();
    const summary = await runImport(
      machine,
      source,
      { name, owner, to, isDryRun, authors },
      {
        item: output.item,
        async progress(done, isEnd) {
          if (!isEnd) output.progress(done);
          if (done.import !== null) await keep(done.import, done, isEnd);
          memory.releaseAfter(done.added + done.changed, done.known);
          if (interrupted.isSet) throw new Interrupted();
        },
      },
    );
    output.end(summary, hasPhotos);
    return summary.refused === 0 ? 0 : 1;
  } catch (error) {
    if (error instanceof ServerGone)
      throw new Problem(error.code, `${error.message} Run the same command again to continue.`);
    if (!(error instanceof Interrupted)) throw error;
    console.error(error.message);
    return interruptedCode;
  } finally {
    await site.close();
  }
}

/** Calls `begin` before the source gives its first item: by then, many know how much they have. */
function beginning({ head, items }: Source, begin: () => void): Pick<Source, "head" | "items"> {
  return {
    head,
    async *items() {
      let hasBegun = false;
      for await (const item of items()) {
        if (!hasBegun) begin();
        hasBegun = true;
        yield item;
      }
      if (!hasBegun) begin();
    },
  };
}

/** `theirs=ours,…`: who of the source is who here. */
const readAuthors = (option: string | undefined) =>
  (option?.split(",") ?? []).map((pair) => {
    const [theirs, ours] = pair.split("=").map((name) => name.trim());
    if (!theirs || !ours) throw new UsageError(`--author needs THEIRS=OURS, not "${pair}".`);
    return { theirs, ours };
  });

function readWish(
  { visibility = "private", photos, albums, people, stars, hidden, fetch, "as-folder": asFolder }: Call["options"],
  allowPrivate: boolean,
): SourceOptions {
  if (visibility !== "public" && visibility !== "private")
    throw new UsageError(`--visibility must be public or private, not "${visibility}".`);
  return {
    hasPhotos: photos !== undefined,
    hasAlbums: albums !== undefined,
    hasPeople: people !== undefined,
    hasStars: stars !== undefined,
    hasHidden: hidden !== undefined,
    asFolder: asFolder !== undefined,
    fetch: fetch === undefined ? undefined : { allowPrivate },
    visibility,
  };
}

async function undo(
  { options }: Call,
  modules: readonly Module[],
  db: Parameters<typeof undoImport>[0]["db"],
): Promise<number> {
  const id = Number(options.undo);
  if (!Number.isSafeInteger(id) || id <= 0)
    throw new UsageError(`--undo needs the number of an import, not "${options.undo}".`);
  const trash = createTrash(kindsOf(modules), reactionsOf(modules));
  using interrupted = watchInterrupt();
  const { removed, name } = await undoImport({ db, trash }, id, () => {
    if (interrupted.isSet) throw new Interrupted("Nothing more is removed: run the same command again to go on.");
  });
  console.log(`Import ${id} of ${name} is undone: ${removed} records are in the trash now.`);
  return 0;
}

async function findOwner(db: Reader, name: string | undefined): Promise<Caller> {
  const { id, username, role } = name === undefined ? await findOnlyAdmin(db) : await getUser(db, name);
  const owner = { id, username, role, tokenID: "" };
  if (mayActAs(owner, "author")) return owner;
  throw invalid(`${username} is a reader: only authors and admins can own files.`);
}

async function getUser(db: Reader, name: string): Promise<User> {
  const user = await findUserByName(db, name);
  if (!user) throw missing(`user ${name}`);
  return user;
}

async function findOnlyAdmin(db: Reader): Promise<User> {
  const [admin, ...others] = (await listUsers(db)).filter(({ role }) => role === "admin");
  if (admin && others.length === 0) return admin;
  throw invalid(`There is ${admin ? "more than one" : "no"} admin: choose the owner with --owner NAME.`);
}

/** The first signal ends the import after what it is writing; a second Ctrl-C ends the program. */
function watchInterrupt(): Disposable & { readonly isSet: boolean } {
  let isSet = false;
  const signals = endSignals();
  const interrupt = (signal: NodeJS.Signals) => {
    if (isSet && signal === "SIGINT") process.exit(interruptedCode);
    isSet = true;
  };
  for (const signal of signals) process.on(signal, interrupt);
  return {
    get isSet() {
      return isSet;
    },
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, interrupt);
    },
  };
}
