import { join } from "node:path";
import { copiedIndexPath } from "../site/search/copied-search.tsx";
import { listAssetURLs } from "../site/assets.ts";
import { languageFor } from "../site/language.ts";
import { crawl, mapEntry, type Source, type Visit } from "./crawl.ts";
import {
  listMoves,
  type Move,
  movedPage,
  printHeaders,
  printNginx,
  printRedirects,
  securityHeaders,
} from "./host-files.ts";
import { type Entry, openLedger } from "./ledger.ts";
import { beginWriting, endWriting, readEarlier } from "./manifest.ts";
import { CopyError, type Output } from "./output.ts";
import { buildIndex, partPaths } from "./search-index.ts";
import { removeState } from "./state.ts";
import { createWriter, linkTo, type Report, type Writer, writeFiles, writePages } from "./write.ts";

type CopyOptions = {
  visit: Visit;
  origin: string;
  /** The folder of the host that has the copy: "" or "/garden". */
  base: string;
  /** Addresses that no page names, such as those that posts had before. */
  more: Iterable<string>;
  failed: Source["failed"];
  progress(what: "read" | "written", count: number): void;
};

/** `failures` is the number of addresses that could not be copied. */
export type Copied = Report & { failures: number; isIndexWhole: boolean };

/**
 * Writes what guests see of the site as files. Everything is read before the first file is written, the list of all
 * files is written last, and what an earlier run has written and this one has not is removed.
 */
export async function copySite(output: Output, wanted: CopyOptions): Promise<Copied> {
  const { visit, origin, base, progress } = wanted;
  const { workDirectory } = output;
  const ledger = openLedger(join(workDirectory, "ledger.db"), base);
  try {
    let failures = 0;
    const failed: Source["failed"] = (address, reason) => {
      failures++;
      wanted.failed(address, reason);
    };
    const source = { visit, origin, base, ledger, workDirectory, failed };
    for (const path of [copiedIndexPath, ...partPaths]) ledger.addMade(path);
    await readEarlier(output, ledger);
    await crawl({ ...source, progress: (count) => progress("read", count) }, [...listAssetURLs(), ...wanted.more]);
    await beginWriting(output, ledger);
    await removeState(output);
    const writer = createWriter(output, ledger);
    const writing = { ...source, progress: (count: number) => progress("written", count) };
    await writeFiles(writing, output, writer);
    await writePages(writing, writer);
    const isIndexWhole = await buildIndex(ledger, ({ path, json }) => writer.putText(path.slice(1), json));
    await writeHostFiles(writing, writer);
    for (const { file } of ledger.gone()) {
      await output.remove(file);
      writer.report.removed++;
    }
    await endWriting(output, ledger);
    return { ...writer.report, failures, isIndexWhole };
  } finally {
    ledger.close();
  }
}

/** What web servers and hosts look for. */
async function writeHostFiles({ visit, origin, base, ledger }: Source, { putText }: Writer): Promise<void> {
  const moves: Move[] = [];
  const missingPage = await readMissingPage();
  const language = languageFor(/<html lang="([\w-]+)"/.exec(missingPage)?.[1] ?? "");
  for (const move of listMoves(ledger, base)) {
    moves.push(move);
    await putText(move.file, movedPage(origin, move.to, language));
  }
  // That of the map also names the server of its tiles, if there is one.
  const { headers } = await visit(ledger.find("/map")?.kind === "page" ? "/map" : "/");
  const security = securityHeaders(headers);
  await putText("404.html", missingPage);
  await putText("_redirects", printRedirects(moves));
  await putText("_headers", printHeaders(security, base));
  await putText("nginx.conf", printNginx(security, moves, base));
  await putText(".nojekyll", "");

  async function readMissingPage(): Promise<string> {
    const response = await visit("/~missing");
    if (response.status !== 404) throw new CopyError("The page for addresses that do not exist cannot be read.");
    const entry = { ...(ledger.find("/") as Entry), key: "/404.html", before: null };
    return mapEntry(await response.text(), origin, entry, linkTo(ledger, entry));
  }
}
