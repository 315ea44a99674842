/*
 * The program that reads what other programs have exported, and other servers. It gets a job on its standard input, and writes what it has
 * found on its standard output, a line each: `docs/build/import-format.md`.
 */
import { setDefaultCACertificates, getCACertificates } from "node:tls";
import type { Head } from "./format/lines.ts";
import { formatVersion, lineLimits } from "./format/lines.ts";
import { longestContent } from "../src/content/blog/post.ts";
import type { Reference } from "./format/lines.ts";
import type { FileItem } from "./sources/items.ts";
import { type Connection, connect } from "../src/platform/pipes/child.ts";
import { toFailure } from "../src/platform/pipes/failures.ts";
import { FrameError } from "../src/platform/pipes/frames.ts";
import { endSignals } from "../src/platform/end-signals.ts";
import { placeOf } from "../src/platform/archives/tree.ts";
import type { Job } from "./format/job.ts";
import { checkServer, openOrigin } from "./open-origin.ts";

async function run(connection: Connection<Job>): Promise<void> {
  const { job, writeLine } = connection;
  if (job.certificates.length > 0) setDefaultCACertificates([...getCACertificates("default"), ...job.certificates]);
  if (job.action === "check") {
    await checkServer(job);
    return writeLine({ kind: "end" });
  }
  await using origin = await openOrigin(connection);
  await writeLine({ kind: "source", version: formatVersion, ...origin.head } satisfies Head);
  let told = "";
  const tellTotal = async () => {
    const total = { kind: "total", ...origin.totals() };
    if (told === JSON.stringify(total)) return;
    told = JSON.stringify(total);
    await writeLine(total);
  };
  for await (const item of origin.items) {
    await tellTotal();
    const line = shorten(item.kind === "file" ? toLine(item, connection, origin.roots) : item);
    await writeLine(line).catch((error: unknown) => {
      if (!(error instanceof FrameError)) throw error;
      return writeLine(shorten({ kind: "refused", key: item.key, reason: `It cannot be imported: ${error.message}` }));
    });
  }
  await tellTotal();
  await writeLine({ kind: "end" });
  // Files may still be asked for.
  await new Promise(() => {});
}

function toLine({ open, ...item }: FileItem, { offer }: Connection<Job>, roots: readonly string[]): object {
  const place = placeOf(open);
  const bytes: Reference = place ? { of: roots.indexOf(place.root), path: place.path } : { id: offer(open) };
  return { ...item, bytes };
}

/** A post that is too long is refused by the server, and longer texts are cut there: it need not have all of them. */
const longestText = 100_000;

function shorten(line: object): object {
  const cut = (name: string, value: unknown): unknown => {
    if (typeof value === "string") return value.slice(0, name === "content" ? longestContent + 1 : longestText);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? shorten(value) : value;
  };
  return Object.fromEntries(Object.entries(line).map(([name, value]) => [name, cut(name, value)]));
}

// Ctrl-C in a terminal reaches this process, too: the one that has started it decides when it ends.
for (const signal of endSignals()) process.on(signal, () => {});

// Not awaited: in the executable, this is a part of a CommonJS module.
void connect<Job>(lineLimits).then((connection) =>
  run(connection).catch((error: unknown) => connection.writeLine({ kind: "failed", ...toFailure(error, "broken") })),
);
