// Runs on the embedded engines only: it is about the plans of SQLite; tests/scale/rows-read.test.ts counts the rows that PostgreSQL reads.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { addPhotos, attachPhoto, detachPhoto, removePhotos } from "../../src/content/albums/album-photos.ts";
import { findPhotoInAlbum, listAlbumsOfPhoto } from "../../src/content/albums/albums-of-photo.ts";
import { movePhotos } from "../../src/content/albums/move-photos.ts";
import { updateAlbum } from "../../src/content/albums/store.ts";
import { renderWaiting } from "../../src/content/blog/html.ts";
import { findNeighbours } from "../../src/content/photos/neighbours.ts";
import { openDatabase } from "../../src/engines.ts";
import { kindsOf, schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import type { Database, Queries } from "../../src/platform/database/database.ts";
import { raw, type Sql, sql } from "../../src/platform/database/sql.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import type { Viewer } from "../../src/platform/http/route.ts";
import { withNotes } from "../kit/every-kind.ts";
import { useScratch } from "../kit/scratch.ts";
import { serverConfig } from "../kit/server.ts";
import type { Site } from "../sql/lists.ts";
import { createPlanReader, type Plan } from "../sql/plans.ts";
import { type List, type Sent, sendAll } from "../sql/sent.ts";

/*
 * How SQLite runs the statements of every list, on a site with thousands of records. It plans by the schema alone, because the
 * server never collects statistics. The rows of the site show how many of them have the same value.
 */

type Rule = "scans" | "sorts" | "fewValues";
/** What a request, such as `admin /users`, may do although a rule is against it. */
type Exception = { requests: RegExp; steps: RegExp; because: string };

const exceptions: Record<Rule, Exception[]> = {
  scans: [
    {
      requests: /^admin \/(redirects|newsletter\/\w+|users|activity|albums\?visibility=all)$/,
      steps:
        /^SCAN (redirects|subscribers|users|albums|activity USING .* activity_by_time)$|^SEARCH (redirects|subscribers|albums|activity|newsletter_posts) .*\((rowid|created_at|post_id)[<>]\?\)$/,
      because: "an admin reads all of them, and each page begins at its position",
    },
    {
      requests: /^admin \/(redirects|newsletter\/subscribers|users)\?q=/,
      steps: /^SCAN (redirects|subscribers|users)\b|^SEARCH (redirects|subscribers) .*\(rowid<\?\)$/,
      because: "an admin searches in texts",
    },
    { requests: /^admin \/users$/, steps: /users_by_skeleton$/, because: "users are counted" },
    {
      requests: /^admin \/invitations$/,
      steps: /^SCAN users$/,
      because: "those of all admins are found by their role",
    },
    { requests: /^admin \/attention$/, steps: /^SCAN share_uploads\b/, because: "at most 10,000 are counted" },
    {
      requests: /[?&/](bbox=|map\?)/,
      steps: /^SEARCH photo_places .*\(code>\? AND code<\?\)$/,
      because: "a part of the map",
    },
    {
      requests: /^admin \/albums\?visibility=all$/,
      steps: /^SCAN albums USING INDEX albums_listed$/,
      because: "only an admin reads all albums by position: there is no index for it",
    },
  ],
  sorts: [
    {
      requests: /^admin \/albums\?visibility=all$/,
      steps: /^SCAN albums USING INDEX albums_listed:/,
      because: "only an admin reads all albums by position: there is no index for it",
    },
    {
      requests: /^\w+ \/(albums|activity|shares)\b/,
      steps: /^SEARCH album_photos USING .* album_photos_seen \(album_id=\? AND seen_by=\?\):/,
      because: "the first photo of an album is found for a signed-in viewer by sorting what they see of it",
    },
    {
      requests: /^\w+ \/photos\/map\?/,
      steps: /^(SCAN areas|SEARCH photo_areas)\b/,
      because: "the squares of one map",
    },
    {
      requests: /^\w+ \/photos\/(timeline|on-this-day)\?/,
      steps: /^SEARCH photo_months\b/,
      because: "a row for each month",
    },
    { requests: /^\w+ \/me\/sessions$/, steps: /^SEARCH sessions\b/, because: "the sessions of one user" },
    { requests: /^\w+ \/files(\?path=|\/dir\/)/, steps: /^SCAN found:/, because: "the directories of one path" },
    { requests: /^\w+ \/blog\/:post\/revisions$/, steps: /^SCAN revisions:/, because: "the revisions of one post" },
  ],
  fewValues: [
    {
      requests: /^\w+ \/(photos|blog|albums)\b/,
      steps:
        /^SEARCH (photos|posts|albums) USING INDEX \w+_(listed|by_taken_at|by_publication|in_order) \((is_page=\? AND )?is_private=\?/,
      because: "a list of what is public, which most records are, in the order of the index",
    },
    {
      requests: /^\w+ \/activity\?kind=/,
      steps: /activity_by_kind \(kind=\?/,
      because: "activity of this kind is asked for",
    },
    {
      requests: /\?state=/,
      steps: /subscribers_by_state \(state=\?/,
      because: "subscribers in this state are asked for",
    },
  ],
};

/** Tables to which the rules do not apply: they have few rows, or too few on this site to judge by. */
const smallTables: Record<string, string> = {
  backups: "one for each backup",
  documents: "written by a job; src/features/search has tests of what a search reads",
  documents_index: "written by a job; src/features/search has tests of what a search reads",
  documents_waiting: "what is not indexed yet",
  list_counts: "a few rows for each list",
  public_name_keys: "one row",
  recovery_codes: "ten for each user who has them; found by the user",
  reservations: "what is being written",
  settings: "a few rows",
  site_settings: "a few rows",
  stored_bytes: "a few rows for each user",
  totp_secrets: "one for each user who has one; found by the user",
  user_removals: "the users who are being removed",
  webhooks: "added by admins",
};

const scratch = useScratch();
let site: Site;
let lists: List[];
let sent: (Sent & { plan: Plan })[];
let db: Database;
let readPlan: (query: Sql) => Promise<Plan>;

beforeAll(async () => {
  const all = await sendAll();
  ({ site, lists } = all);
  db = await openDatabase(await serverConfig(site.server), schemaOf(modules));
  readPlan = await createPlanReader(db);
  const plans = new Map<string, Plan>();
  for (const { text, query } of all.sent) if (!plans.has(text)) plans.set(text, await readPlan(query));
  sent = all.sent.map((one) => ({ ...one, plan: plans.get(one.text) as Plan }));
});
afterAll(async () => {
  await db.close();
  await site.server.close();
});

test.each(["scans", "sorts", "fewValues"] as const)(
  "no list does what is against the rule of %s, and all exceptions are needed",
  (rule) => {
    const used = new Set<Exception>();
    const found = new Set<string>();
    for (const { who, path, plan } of sent) {
      const request = `${who} ${path}`;
      for (const { table, detail } of plan[rule]) {
        if (smallTables[table]) continue;
        const exception = exceptions[rule].find(({ requests, steps }) => requests.test(request) && steps.test(detail));
        if (exception) used.add(exception);
        else found.add(`${request}: ${detail}`);
      }
    }
    expect([...found]).toEqual([]);
    expect(exceptions[rule].filter((one) => !used.has(one))).toEqual([]);
  },
);

test("the page after the first one is read from its position on", () => {
  const keyset = sent.filter(({ text, isNextPage }) => isNextPage && text.includes(" AS sort_key"));
  expect(keyset.length).toBeGreaterThan(100);
  // Down to the position, or to where those with or without a date begin. All albums by position are sorted: see above.
  const isFromPosition = /[<>]\(?\?|_at=\?|rowid=\?|^SCAN albums USING INDEX albums_listed$/;
  const others = keyset.filter(({ plan }) => !plan.steps.some((step) => isFromPosition.test(step)));
  expect(others.map(({ path, plan }) => [path, ...plan.steps])).toEqual([]);
});

test("every list of the API is read with every parameter, has rows, and has a second page", () => {
  expect(lists.length).toBeGreaterThan(30);
  const missing = lists.flatMap(({ path, parameters, requests, hasRows, hasNextPage }) => {
    const isSent = (name: string) => requests.some((request) => new RegExp(`[?&]${name}=`).test(request));
    const problems = parameters.filter((name) => !isSent(name)).map((name) => `${path}: ${name}`);
    if (parameters.includes("cursor") && parameters.includes("pageSize") && !hasNextPage)
      problems.push(`${path}: next page`);
    return hasRows ? problems : [...problems, `${path}: rows`];
  });
  // Its links are to the list of photos.
  expect(missing).toEqual(["/photos/timeline: cursor"]);
});

test("the statements are as many as lists send, and their tables have thousands of rows", async () => {
  expect(new Set(sent.map(({ text }) => text)).size).toBeGreaterThan(400);
  expect(sent.filter(({ plan }) => plan.steps.length === 0)).toEqual([]);
  const small: string[] = [];
  for (const table of new Set(sent.flatMap(({ plan }) => plan.tables))) {
    const row = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM ${raw(table)}`);
    if (Number(row?.count) < 1000) small.push(table);
  }
  expect(small.toSorted()).toEqual(Object.keys(smallTables));
});

test("SQLite has no statistics", async () => {
  expect(await db.all(sql`SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'`)).toEqual([]);
});

/** The database or a transaction, which also notes what it sends. */
const noteTo = <Source extends Queries | Database>(queries: Sql[], source: Source): Source => ({
  ...source,
  all: (query: Sql) => (queries.push(query), source.all(query)),
  get: (query: Sql) => (queries.push(query), source.get(query)),
  ...("run" in source && {
    run: (query: Sql) => (queries.push(query), source.run(query)),
    later: (query: Sql) => (queries.push(query), source.later(query)),
  }),
});

/** Finds rows of an album by nothing but the album, which may have a million photos. */
const isWholeAlbum = /^SCAN album_photos|album_photos USING .*\((album_id=\?|album_id=\? AND seen_by>\?)\)$/;

test("a page of an album, and changes of a few photos, do not read the whole album", async () => {
  const pages = sent.filter(({ path }) => path === "/albums/:album");
  expect(new Set(pages.map(({ who }) => who)).size).toBe(4);
  expect(pages.flatMap(({ plan }) => plan.steps).filter((step) => isWholeAlbum.test(step))).toEqual([]);
  const queries: Sql[] = [];
  const owner = { id: 1, role: "author" } as const;
  const change = (work: (tx: Queries) => Promise<unknown> | void) =>
    db.transaction(async (tx) => void (await work(noteTo(queries, tx))));
  const album = site.ids.album as number;
  await change((tx) => addPhotos(tx, album, [20, 40, 60, 80]));
  await change((tx) => attachPhoto(tx, owner, album, 100));
  await change((tx) => updateAlbum(tx, owner, album, { coverPhotoID: 40 }));
  await change((tx) => movePhotos(tx, owner, album, { photoIDs: [80, 60], before: undefined, after: 20 }));
  await change((tx) => removePhotos(tx, album, [40, 60]));
  await change((tx) => detachPhoto(tx, owner, album, 20));
  expect(queries.length).toBeGreaterThan(20);
  // The place of the last photo is the end of an index.
  const others = queries.filter(({ text }) => !text.join("?").includes("max(position)"));
  const steps = (await Promise.all(others.map(readPlan))).flatMap((plan) => plan.steps);
  expect(steps.filter((step) => isWholeAlbum.test(step))).toEqual([]);
});

test("the neighbours and the albums of a photo, and posts to render, are read from an index", async () => {
  const queries: Sql[] = [];
  const noted = noteTo(queries, db);
  const viewers: Viewer[] = [null, { id: 1, role: "author" }, { id: 3, role: "admin" }];
  for (const viewer of viewers) {
    for (const takenAt of ["2026-06-01T00:00:00.000Z", null]) await findNeighbours(noted, viewer, { id: 20, takenAt });
    await findPhotoInAlbum(noted, viewer, 20, 19);
    await listAlbumsOfPhoto(noted, viewer, 20, 10);
  }
  const renderer = { render: () => Promise.reject(new Error("Nothing is rendered here.")), close() {} };
  await renderWaiting(noted, renderer, new AbortController().signal);
  expect(queries.length).toBeGreaterThan(20);
  const plans = await Promise.all(queries.map(readPlan));
  expect(plans.flatMap(({ scans, sorts }) => [...scans, ...sorts])).toEqual([]);
  expect(plans.flatMap(({ steps }) => steps)).toContainEqual(
    expect.stringMatching(/^SEARCH post_html .*\(renderer=\? AND rowid>\?\)/),
  );
});

test("every kind has the indexes for its lists, the trash and its bytes", async () => {
  const schema = schemaOf(withNotes);
  const opened = await openSqlite(join(scratch, "kinds.db"), { schema });
  const read = await createPlanReader(opened);
  const stepsOf = async (query: Sql) => (await read(query)).steps.join("; ");
  for (const { table, trash } of kindsOf(withNotes)) {
    const find = (condition: string) => stepsOf(sql`SELECT id FROM ${raw(table)} WHERE trash_id ${raw(condition)}`);
    expect([table, await find("= 1")]).toEqual([table, expect.stringMatching(/^SEARCH .*\(trash_id=\?/)]);
    if (!trash.total) continue;
    // Posts are in two lists: those of the blog, and pages. The photos and posts that an owner sees are lists of their own.
    const [condition, part] = table === "posts" ? ["AND is_page = 0", "is_page=? AND "] : ["", ""];
    const list = (owner: string, more: string) =>
      find(`IS NULL ${condition} ${owner} ${more} AND id < 5 ORDER BY id DESC`);
    expect(await list("", "AND is_private = 0")).toContain(`INDEX ${table}_listed (${part}is_private=? AND id<?)`);
    expect(await list("AND owner_id = 2", "AND is_private = 0")).toContain(
      `(owner_id=? AND ${part}is_private=? AND id<?)`,
    );
    if (table !== "photos" && table !== "posts")
      expect(await list("AND owner_id = 2", "")).toContain("(owner_id=? AND id<?)");
  }
  for (const { name, blobs = [] } of schema.tables) {
    for (const { column } of blobs) {
      const byHash = await stepsOf(sql`SELECT 1 FROM ${raw(name)} WHERE ${raw(column)} = ${"ab"}`);
      expect([name, byHash]).toEqual([name, expect.stringContaining(`(${column}=?)`)]);
    }
  }
  await opened.close();
});
