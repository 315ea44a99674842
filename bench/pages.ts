import { join } from "node:path";
import { startGenerator } from "./generator/generator.ts";
import { fillForGrowth } from "./growth-fill.ts";
import { waitUntilQuiet } from "./processes.ts";
import { ask, getUncached, uncached } from "./request.ts";
import { measure, type Plan, progress } from "./rounds.ts";
import { costOf, type Row, rowOf } from "./row.ts";
import { startVitrine } from "./servers/vitrine.ts";

const records = 1000;

type MeasuredPage = { name: string; path: string; reads: string[] };

/** Each page of the site, and the requests to the API that read the same records. */
const pages: MeasuredPage[] = [
  {
    name: "the page /",
    path: "/",
    reads: ["/blog?cursor=&pageSize=7", "/photos?sort=takenAt&cursor=&pageSize=14", "/albums?cursor=&pageSize=4"],
  },
  { name: "the page /blog", path: "/blog", reads: ["/blog?cursor=&pageSize=12"] },
  {
    name: "the page of a post",
    path: "/blog/p2",
    reads: ["/blog/2", "/comments?blogPostID=2&cursor=&pageSize=100"],
  },
  {
    name: "the page /photos",
    path: "/photos",
    reads: ["/photos?sort=takenAt&cursor=&pageSize=48", "/photos/timeline"],
  },
  { name: "the page of a photo", path: "/photos/501", reads: ["/photos/501"] },
  {
    name: "the page of an album",
    path: "/albums/1-all-photos",
    reads: ["/albums/1?cursor=&pageSize=48"],
  },
  {
    name: "the feed",
    path: "/feed.xml",
    reads: ["/blog?cursor=&pageSize=30", "/photos?cursor=&pageSize=30"],
  },
];

/** Pages that are rendered anew each time, compared with requests to the API that read the same records. */
export async function measurePages(directory: string, plan: Plan): Promise<Row[]> {
  progress(`adding ${records} photos, posts and comments`);
  const dataDir = join(directory, "data");
  await fillForGrowth(dataDir, records);
  const { port, pid, url } = await startVitrine(dataDir);
  await waitUntilQuiet(pid);
  for (const page of pages) await checkRecords(url, page);
  const paths = [...new Set(pages.flatMap(({ path, reads }) => [path, ...reads.map(inAPI)]))];
  const targets = Object.fromEntries(paths.map((path) => [path, { port, calls: [getUncached(path)], status: 200 }]));
  const turns = await measure<string>(startGenerator(), [{ name: "Vitrine", pid, targets }], [paths], plan);
  const costsOf = (path: string) => (turns[path]?.["Vitrine"] ?? []).map(costOf);
  return pages.map(({ name, path, reads }) => {
    const others = reads.map((read) => costsOf(inAPI(read)));
    const samples = costsOf(path).map(
      (cost, round) => cost / others.reduce((sum, costs) => sum + (costs[round] ?? Number.NaN), 0),
    );
    const unit = "processor time, page / API";
    return rowOf({ name: `${name}, true miss`, unit, goal: { atMost: 3 } }, samples);
  });
}

const inAPI = (read: string) => `/api/v1${read}`;

type Found = { id: number; slug?: string; photos?: Found[] };

/** The page must have what the first request reads: an emptier page would be cheaper. */
async function checkRecords(url: string, { path, reads }: MeasuredPage): Promise<void> {
  const first = await ask<Found | Found[]>(`${url}${inAPI(reads[0] ?? "")}`);
  const found = Array.isArray(first) ? first : (first.photos ?? [first]);
  const response = await fetch(`${url}${path}`, { headers: uncached });
  const page = await response.text();
  const isOnPage = ({ id, slug }: Found) => page.includes(slug ? `/blog/${slug}` : `/photos/${id}`);
  if (!response.ok || found.length === 0 || !found.every(isOnPage))
    throw new Error(`${path} does not have the records of ${reads[0]}`);
}
