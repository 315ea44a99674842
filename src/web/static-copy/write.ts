import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Made } from "../../platform/backups/made.ts";
import { collectCopied } from "../../platform/collect-garbage.ts";
import { inParallel } from "../../platform/in-parallel.ts";
import { mapEntry, patiently, readBody, readTarget, type Source } from "./crawl.ts";
import type { Entry, Ledger } from "./ledger.ts";
import type { MapLink } from "./links.ts";
import { makeFile, type Output } from "./output.ts";
import { readText } from "./search-index.ts";

/** What a run has done. */
export type Report = {
  pages: number;
  files: number;
  written: number;
  bytes: number;
  unchanged: number;
  removed: number;
};

export type Writer = {
  report: Report;
  /** Stores a file if the copy does not have it. */
  put(file: string, made: Made, etag?: string): Promise<void>;
  putText(file: string, text: string): Promise<void>;
};

const maxFilesAtOnce = 4;

export function createWriter(output: Output, ledger: Ledger): Writer {
  const report: Report = { pages: 0, files: 0, written: 0, bytes: 0, unchanged: 0, removed: 0 };
  async function put(file: string, made: Made, etag = ""): Promise<void> {
    const { sha256, size } = made;
    const earlier = ledger.findEarlier(file);
    if (earlier?.sha256 === sha256 && output.has(file, size)) {
      await rm(made.path, { force: true });
      report.unchanged++;
    } else {
      await output.put(file, made);
      report.written++;
      report.bytes += size;
    }
    ledger.addWritten({ file, sha256, size, etag });
  }
  const putText = async (file: string, text: string) =>
    put(file, await makeFile(output.workDirectory, [new TextEncoder().encode(text)]));
  return { report, put, putText };
}

/** Pictures, files, styles and scripts. One that cannot be read is left out of the pages. */
export async function writeFiles(source: Source, output: Output, { report, put }: Writer): Promise<void> {
  for (const entries of source.ledger.each("file")) {
    await inParallel(entries, maxFilesAtOnce, async (entry) => {
      await writeFile(entry);
      source.progress(report.files);
      collectCopied();
    });
  }

  async function writeFile({ id, key, file }: Entry): Promise<void> {
    const { ledger } = source;
    const [address = "", format] = key.split(" ");
    const earlier = file === null ? undefined : ledger.findEarlier(file);
    const isKnown = earlier !== undefined && earlier.etag !== "" && output.has(earlier.file, earlier.size);
    const headers = {
      Accept: format === "jpeg" ? "image/jpeg" : "image/webp",
      ...(isKnown && { "If-None-Match": earlier.etag }),
    };
    const response = await patiently(() => source.visit(address, headers));
    report.files++;
    if (response.status === 304 && earlier) {
      report.unchanged++;
      return ledger.addWritten(earlier);
    }
    if (response.status !== 200 || file === null) {
      await response.body?.cancel();
      report.files--;
      source.failed(address, `the site responds with ${response.status}`);
      return ledger.settle(id, "none");
    }
    const made = await makeFile(output.workDirectory, response.body ?? []);
    await put(file, made, response.headers.get("etag") ?? "");
  }
}

/** Pages, feeds and the like, with links to files of the copy. */
export async function writePages(source: Source, writer: Writer): Promise<void> {
  const { ledger, origin, workDirectory } = source;
  for (const kind of ["page", "text"] as const) {
    for (const entries of ledger.each(kind)) {
      await inParallel(entries, maxFilesAtOnce, async (entry) => {
        const text = await readBody(source, entry);
        await writer.putText(entry.file ?? "", mapEntry(text, origin, entry, linkTo(ledger, entry)));
        if (kind === "page") {
          writer.report.pages++;
          const found = readText(text, entry);
          if (found) ledger.addText(found);
        }
        await rm(join(workDirectory, entry.body ?? ""), { force: true });
        source.progress(writer.report.files + writer.report.pages);
        collectCopied();
      });
    }
  }
}

/** What a link leads to in the copy. Without that, there is no link. */
export const linkTo =
  (ledger: Ledger, entry: Entry): MapLink =>
  (url, place) => {
    const target = readTarget(entry, url, place);
    if (!target) return null;
    const found = resolve(ledger, target.key);
    return found && found.link + (target.hash || found.hash);
  };

const maxSteps = 5;

/** The link to what is at this address, or where that leads. */
export function resolve(ledger: Ledger, key: string): { link: string; hash: string } | null {
  let [address, hash] = [key, ""];
  for (let step = 0; step < maxSteps; step++) {
    const entry = ledger.find(address);
    if (!entry || entry.kind === "none" || entry.kind === "new") return null;
    if (entry.kind !== "moved") return entry.link === null ? null : { link: entry.link, hash };
    const [next = "", part = ""] = (entry.location ?? "").split("#");
    address = next;
    hash = part === "" ? hash : `#${part}`;
  }
  return null;
}
