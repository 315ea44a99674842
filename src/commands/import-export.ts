import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { holdBlobs } from "../core/storage/holds.ts";
import { renderWaiting } from "../content/blog/html.ts";
import type { openForAdding } from "../engines.ts";
import { isEmpty, type Restored, restoreExport } from "../features/exports/restore.ts";
import { openTrees } from "../platform/archives/open-trees.ts";
import { indexMissing } from "../features/search/index-missing.ts";
import { catchUp } from "../features/search/index-records.ts";
import { kindsOf, type Module } from "../module.ts";
import { findExport, indexName, type ReadExport } from "../platform/archives/vitrine-export.ts";
import { openSpoolDirectory } from "../platform/blobs/spool-directory.ts";
import { listDirectories, workRootOf } from "../platform/database-directory.ts";
import { startRenderer } from "../platform/markdown/renderer.ts";
import type { Call } from "./command.ts";

type Site = Awaited<ReturnType<typeof openForAdding>>;

/** Makes the same site of an export of Vitrine. Null if the source is something else, or is added to what the site has. */
export async function importExport(
  { words, options, config, schema }: Call,
  modules: readonly Module[],
  site: Site,
): Promise<number | null> {
  const [word = ""] = words;
  const isPossible =
    words.length === 1 && (existsSync(join(word, indexName)) || /\.(zip|tar|tgz|tar\.gz)$/i.test(word));
  if (!isPossible || !existsSync(word) || options["as-folder"] !== undefined) return null;
  await using tree = await openTrees([word], listDirectories(config));
  const found = await findExport(tree);
  if (!found || found.owner !== null || !(await isEmpty(site.db))) return null;
  // Somebody else's site, of which nobody is to see anything, is added as from any other source.
  if (options.visibility === "private") return null;
  const isJSON = options["json"] !== undefined;
  const isDryRun = options["dry-run"] !== undefined;
  if (!isJSON || isDryRun) console.log(await describeExport(found));
  if (isDryRun) return reportPlan();
  const renderer = startRenderer();
  const spool = await openSpoolDirectory(workRootOf(config));
  try {
    await using _hold = await holdBlobs(site.db);
    const kinds = kindsOf(modules);
    const restored = await restoreExport({ ...site, schema }, found, {
      workDirectory: spool.path,
      say: console.error,
      async derive(draft) {
        await renderWaiting(draft, renderer, new AbortController().signal);
        await indexMissing(draft, kinds);
        await catchUp(draft, kinds, Infinity);
      },
    });
    return report(restored, found, isJSON);
  } finally {
    renderer.close();
    await rm(spool.path, { recursive: true, force: true });
    spool.release();
  }
}

const shown = { photos: "photos", posts: "posts and pages", albums: "albums", files: "files", people: "people" };

const describe = (counts: Record<string, number>): string =>
  Object.entries(shown)
    .map(([file, name]) => `${counts[file] ?? 0} ${name}`)
    .join(", ");

/** Said before anything is stored. */
async function describeExport(found: ReadExport): Promise<string> {
  const counts: Record<string, number> = {};
  for (const file of Object.keys(shown)) for await (const _ of found.read(file)) counts[file] = (counts[file] ?? 0) + 1;
  return `Taken for the export of a whole site of ${found.exportedAt}, with ${describe(counts)}. The same site is made of it: everyone will see what everyone saw there. With --visibility private, it is added to this site, and nobody else sees it.`;
}

function reportPlan(): number {
  console.log("Nothing was written.");
  return 0;
}

function report({ counts, missing }: Restored, { exportedAt }: ReadExport, isJSON: boolean): number {
  if (isJSON) console.log(JSON.stringify({ exportedAt, counts, missing }, null, 2));
  else {
    for (const path of missing) console.log(`Missing in the export, or damaged there: ${JSON.stringify(path)}`);
    console.log(`The site of ${exportedAt} is imported: ${describe(counts)}.`);
    console.log('Passwords are not exported: set them with "vitrine user password NAME".');
  }
  return missing.length === 0 ? 0 : 1;
}
