import { realpath, rm } from "node:fs/promises";
import type { Visibility } from "../../core/records/visibility.ts";
import { openNamedFiles } from "../../platform/archives/folder.ts";
import type { StoredBytes } from "../../platform/archives/stored-bytes.ts";
import { UnusableEntry } from "../../platform/archives/tree.ts";
import { openSpoolDirectory } from "../../platform/blobs/spool-directory.ts";
import { listDirectories, type SiteDirectories, workRootOf } from "../../platform/database-directory.ts";
import { invalid } from "../../platform/errors.ts";
import { FrameError, readFrames } from "../../platform/frames.ts";
import type { ProcessLimits } from "../../platform/limited-process.ts";
import { createFileOpener, startConverter } from "./converter.ts";
import type { Job } from "../../../convert/format/job.ts";
import { type Head, maxLineBytes } from "../../../convert/format/lines.ts";
import { type LineSource, parseHead, sourceOfLines } from "./lines.ts";

export type ReadingSite = SiteDirectories & { importMemoryBytes: number };

/** Longer than any honest source needs for one step. */
const processorMs = 30_000;
const limitsOf = ({ importMemoryBytes: memoryBytes }: ReadingSite): ProcessLimits => ({ memoryBytes, processorMs });

type Wanted = {
  job: Omit<Job, "action" | "certificates">;
  /** The archives of the job that are no files on this machine. */
  files?: StoredBytes[];
  signal?: AbortSignal | undefined;
  limits?: ProcessLimits;
};

export type OpenSource = AsyncDisposable & {
  head: Head;
  /** `name` tells it from others. */
  open(name: string): LineSource;
};

/** Lets the converter find out what the source is. Throws a sentence if that cannot be read. */
export async function openSource(
  site: ReadingSite,
  { job, files, signal, limits = limitsOf(site) }: Wanted,
): Promise<OpenSource> {
  await using resources = new AsyncDisposableStack();
  const work = await useWorkDirectory(site, resources);
  const options = { ...(files && { files }), workDirectory: work, limits, signal };
  const converter = resources.use(await startConverter({ job: { action: "read", ...job }, ...options }));
  const roots = "paths" in job.origin ? await Promise.all(job.origin.paths.map((path) => realpath(path))) : [];
  const open = createFileOpener(converter, openNamedFiles(roots, listDirectories(site)));
  const { first, lines } = converter;
  const { visibility } = job.options;
  const head = parseHead(first);
  const owned = resources.move();
  return {
    head,
    open: (name) => sourceOfLines({ name, head, visibility, lines, open }),
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

/** Throws a sentence if the server does not respond, or refuses the key. */
export async function checkServer(site: ReadingSite, job: Omit<Job, "action" | "certificates">): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const workDirectory = await useWorkDirectory(site, resources);
  const checked = startConverter({ job: { action: "check", ...job }, workDirectory, limits: limitsOf(site) });
  // There is no source, but no failure either.
  await checked.then((converter) => converter[Symbol.asyncDispose]());
}

/** What another program has written on our standard input, with files in this folder. */
export async function openLines(
  site: SiteDirectories,
  { chunks, folder, visibility }: { chunks: AsyncIterable<Uint8Array>; folder: string; visibility: Visibility },
): Promise<OpenSource> {
  const lines = linesOf(chunks);
  const { value: first = "{}" } = await lines.next();
  const said = parseHead(first);
  const head = { ...said, name: said.name ?? said.program, directory: said.directory || said.program };
  const noConverter = {
    open(): never {
      throw new UnusableEntry("Its bytes must be a file: only the converter of Vitrine has others.");
    },
  };
  const open = createFileOpener(noConverter, openNamedFiles([await realpath(folder)], listDirectories(site)));
  return {
    head,
    open: (name) => sourceOfLines({ name, head, visibility, lines, open }),
    async [Symbol.asyncDispose]() {
      await lines.return(undefined);
    },
  };
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  try {
    for await (const { line } of readFrames(chunks, { maxLineBytes, maxBodyBytes: 0 })) yield line;
  } catch (error) {
    throw error instanceof FrameError ? invalid(error.message) : error;
  }
}

async function useWorkDirectory(site: ReadingSite, resources: AsyncDisposableStack): Promise<string> {
  const { path, release } = await openSpoolDirectory(workRootOf(site));
  resources.defer(async () => {
    await rm(path, { recursive: true, force: true });
    release();
  });
  return path;
}
