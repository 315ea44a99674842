import { realpath, rm } from "node:fs/promises";
import type { Visibility } from "../../core/records/visibility.ts";
import { openNamedFiles } from "../../platform/archives/folder.ts";
import type { StoredBytes } from "../../platform/archives/stored-bytes.ts";
import { UnusableEntry } from "../../platform/archives/tree.ts";
import { openSpoolDirectory } from "../../platform/blobs/spool-directory.ts";
import { listDirectories, type SiteDirectories, workRootOf } from "../../platform/database-directory.ts";
import { invalid } from "../../platform/errors.ts";
import { childCommand } from "../../platform/own-command.ts";
import { listAddedAuthorities } from "../../platform/outgoing/begin-request.ts";
import { FrameError, readFrames } from "../../platform/pipes/frames.ts";
import type { ProcessLimits } from "../../platform/pipes/limited-process.ts";
import { type Pipe, startPipe } from "../../platform/pipes/parent.ts";
import type { Job } from "../../../convert/format/job.ts";
import { lineLimits } from "../../../convert/format/lines.ts";
import { checkFirst, parseHead, type Source, sourceOfLines } from "./lines.ts";

export type ReadingSite = SiteDirectories & { importMemoryBytes: number };

/** Longer than any honest source needs for one step. */
const processorMs = 30_000;

type Wanted = Pick<Job, "origin" | "options" | "siteID"> & {
  /** The archives of the job that are no files on this machine. */
  files?: StoredBytes[];
  signal?: AbortSignal | undefined;
  limits?: ProcessLimits;
};

export type OpenSource = AsyncDisposable & Source;

/** Lets the converter find out what the source is. Throws a sentence if that cannot be read. */
export async function openSource(site: ReadingSite, wanted: Wanted): Promise<OpenSource> {
  await using resources = new AsyncDisposableStack();
  const { first, lines, open } = await startConverter(site, "read", wanted, resources);
  const { origin, options } = wanted;
  const roots = "paths" in origin ? await Promise.all(origin.paths.map((path) => realpath(path))) : [];
  const openNamed = openNamedFiles(roots, listDirectories(site));
  const source = sourceOfLines({ head: parseHead(first), visibility: options.visibility, lines, open, openNamed });
  const owned = resources.move();
  return { ...source, [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose]() };
}

/** Throws a sentence if the server does not respond, or refuses the key. */
export async function checkServer(site: ReadingSite, wanted: Wanted): Promise<void> {
  await using resources = new AsyncDisposableStack();
  await startConverter(site, "check", wanted, resources);
}

async function startConverter(
  site: ReadingSite,
  action: Job["action"],
  { files, signal, limits = { memoryBytes: site.importMemoryBytes, processorMs }, ...wanted }: Wanted,
  resources: AsyncDisposableStack,
): Promise<Pipe> {
  const { path, release } = await openSpoolDirectory(workRootOf(site));
  resources.defer(async () => {
    await rm(path, { recursive: true, force: true });
    release();
  });
  const job: Job = { action, ...wanted, certificates: listAddedAuthorities() };
  const options = { job, files, workDirectory: path, limits, signal };
  const pipe = resources.use(await startPipe(childCommand("converter"), { lineLimits, ...options }));
  checkFirst(pipe.first);
  return pipe;
}

/** What another program has written on our standard input, with files in this folder. */
export async function openLines(
  site: SiteDirectories,
  { chunks, folder, visibility }: { chunks: AsyncIterable<Uint8Array>; folder: string; visibility: Visibility },
): Promise<OpenSource> {
  const lines = linesOf(chunks);
  const { value: first = null } = await lines.next();
  const said = parseHead(first);
  const head = { ...said, name: said.name ?? said.program, directory: said.directory || said.program };
  const open = (): never => {
    throw new UnusableEntry("Its bytes must be a file: only the converter of Vitrine has others.");
  };
  const openNamed = openNamedFiles([await realpath(folder)], listDirectories(site));
  const source = sourceOfLines({ head, visibility, lines, open, openNamed });
  return { ...source, [Symbol.asyncDispose]: async () => void (await lines.return(undefined)) };
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  try {
    for await (const { line } of readFrames(chunks, { ...lineLimits, maxBodyBytes: 0 })) yield line;
  } catch (error) {
    throw error instanceof FrameError ? invalid(error.message) : error;
  }
}
