import { existsSync } from "node:fs";
import { open, realpath, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { openForBackup } from "../engines.ts";
import type { Target } from "../features/exports/entry.ts";
import { type Summary, writeExport } from "../features/exports/export.ts";
import { openFolderTarget } from "../features/exports/write-folder.ts";
import { openZipTarget, type Sink } from "../features/exports/write-zip.ts";
import { openSpoolDirectory } from "../platform/blobs/spool-directory.ts";
import { workRootOf } from "../platform/database-directory.ts";
import { syncDirectory } from "../platform/durable.ts";
import { endSignals } from "../platform/end-signals.ts";
import { invalid } from "../platform/errors.ts";
import { doneWithWarnings } from "../platform/own-command.ts";
import { type Call, UsageError } from "./command.ts";

export async function runExport({ words: [to = ""], options, config, schema }: Call): Promise<number> {
  const { since = null, owner = null } = options;
  const isArchive = to === "-" || to.toLowerCase().endsWith(".zip");
  if (isArchive && since !== null) throw new UsageError("--since is for a folder: an archive has no links.");
  if (to === "-" && process.stdout.isTTY)
    throw new UsageError("Standard output is a terminal: redirect it to a file or another program.");
  // Applies to all files that this process creates: they have everything that is private.
  process.umask(0o077);
  const site = await openForBackup(config, schema);
  const spool = await openSpoolDirectory(workRootOf(config));
  const interruption = listenForInterruption();
  try {
    if (to !== "-") await refuseDataDirectory(to, config.dataDir);
    const openTarget = async (moment: Date): Promise<Target> =>
      isArchive
        ? openZipTarget(site, to === "-" ? standardOutput() : await openFile(to), "vitrine-export")
        : openFolderTarget(site, { to: resolve(to), since: since && resolve(since) }, moment);
    const { signal } = interruption;
    const summary = await writeExport(site, openTarget, { owner, workDirectory: spool.path, signal, say });
    return report(summary, to);
  } catch (error) {
    if (!isFull(error)) throw error;
    throw invalid(`There is no space left for the export, and it is not complete: make space, and run this again.`);
  } finally {
    interruption.end();
    await rm(spool.path, { recursive: true, force: true });
    spool.release();
    await site.close();
  }
}

/** Standard output may be the archive. */
const say = (line: string): void => console.error(line);

function report({ files, bytes, lost }: Summary, to: string): number {
  for (const path of lost) say(`Missing in the site, or damaged there: ${path}`);
  const place = to === "-" ? "" : ` to ${to}`;
  say(`${files - lost.length} files with ${(bytes / 1e6).toFixed(1)} MB were exported${place}.`);
  if (lost.length === 0) return 0;
  say(`${lost.length} ${lost.length === 1 ? "file is" : "files are"} missing: run "vitrine doctor --hash".`);
  return doneWithWarnings;
}

const isFull = (error: unknown): boolean =>
  ["full", "ENOSPC", "EDQUOT"].includes((error as { code?: string }).code ?? "");

async function refuseDataDirectory(to: string, dataDir: string): Promise<void> {
  const place = join(await realpath(dirname(resolve(to))).catch(() => dirname(resolve(to))), "x");
  if (`${dirname(place)}/`.startsWith(`${await realpath(dataDir)}/`))
    throw invalid(`${to} is in the data directory of this site: choose another place.`);
}

/** The first Ctrl-C ends the export after the file that is being written, the second one at once. */
function listenForInterruption(): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const signals = endSignals();
  for (const signal of signals) process.once(signal, abort);
  return {
    signal: controller.signal,
    end: () => {
      for (const signal of signals) process.off(signal, abort);
    },
  };
}

/** A file that has its name when it is complete. */
async function openFile(path: string): Promise<Sink> {
  const draft = `${path}.part`;
  if (existsSync(path)) throw invalid(`${path} exists already: remove it, or choose another name.`);
  const file = await open(draft, "w", 0o600);
  return {
    async write(chunk) {
      let written = 0;
      while (written < chunk.length) written += (await file.write(chunk, written)).bytesWritten;
    },
    async end() {
      await file.sync();
      await file.close();
      await rename(draft, path);
      await syncDirectory(dirname(path));
    },
    async abandon() {
      await file.close().catch(() => {});
      await rm(draft, { force: true });
    },
  };
}

function standardOutput(): Sink {
  return {
    write: (chunk) =>
      new Promise((done, fail) => process.stdout.write(chunk, (error) => (error ? fail(error) : done()))),
    async end() {},
    async abandon() {},
  };
}
