import { getPost } from "../../content/blog/store.ts";
import { type Change, type Position, readChanges, readEnd } from "../../core/activity/feed.ts";
import { findVisible, type Kinds } from "../../core/activity/visible.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { readSetting, storeSetting } from "../../platform/database/settings.ts";
import { sql } from "../../platform/database/sql.ts";
import { Problem } from "../../platform/errors.ts";
import { quickHashOf } from "../../platform/hash.ts";
import { listLinksElsewhere } from "./page-links.ts";
import { positionName as name } from "./position.ts";
import { queueLinks, queuePing } from "./tasks.ts";

const changesAtOnce = 100;
const switchedLatelyMs = 60_000;
/** The feeds that have records of a kind. */
const feeds: Record<string, string[]> = {
  post: ["/feed.xml", "/feed.json", "/blog/feed.xml"],
  photo: ["/feed.xml", "/feed.json", "/photos/feed.xml"],
};

type Site = { origin: string; settings: Pick<Settings, "webmentions" | "webSubHub"> };
type PostLinks = { id: number; links: string[]; version: string };

/** Plans who is told of new changes. It begins with those after it was switched on. Returns whether there may be more. */
export async function followChanges(db: Database, kinds: Kinds, { origin, settings }: Site): Promise<boolean> {
  const stored = await readSetting(db, name);
  const position = stored === null ? null : (JSON.parse(stored) as Position);
  if (position === null || (await isForeign(db, position))) {
    const begin = (position === null ? await findSwitch(db) : null) ?? (await readEnd(db));
    await db.transaction((tx) => storeSetting(tx, name, JSON.stringify(begin)));
    return true;
  }
  const changes = await readChanges(db, position, changesAtOnce);
  const last = changes.at(-1);
  if (!last) return false;
  const { webmentions, webSubHub } = settings;
  const posts = webmentions ? await readLinks(db, origin, changes) : [];
  const changed = webSubHub === null ? [] : await findFeeds(db, kinds, changes);
  await db.transaction(async (tx) => {
    await tx.lock(name);
    // Another copy may have done the same.
    if ((await readSetting(tx, name)) !== stored) return;
    for (const { id, links, version } of posts) await queueLinks(tx, id, links, version);
    for (const path of changed) await queuePing(tx, origin + path, webSubHub ?? "");
    await storeSetting(tx, name, JSON.stringify({ transactionID: last.transactionID, id: last.id }));
  });
  return changes.length === changesAtOnce;
}

/** When it was switched on, if that was just now: what was published since is not missed. */
function findSwitch(db: Reader): Promise<Position | null> {
  return db.get<Position>(sql`
    SELECT transaction_id AS "transactionID", id FROM activity
    WHERE kind = 'settings' AND created_at > ${Date.now() - switchedLatelyMs} ORDER BY id DESC LIMIT 1`);
}

/** After the database was moved or restored, the position may have a transaction that is still to come here. */
async function isForeign(db: Reader, { transactionID }: Position): Promise<boolean> {
  return (await db.get(sql`SELECT 1 AS one FROM activity_horizon WHERE upcoming <= ${transactionID}`)) !== null;
}

/** The links of posts as guests see them. A post that they do not see has none. */
async function readLinks(db: Reader, origin: string, changes: Change[]): Promise<PostLinks[]> {
  const ids = new Set(changes.flatMap(({ kind, recordID }) => (kind === "post" ? recordID : [])));
  const found: PostLinks[] = [];
  for (const id of ids) {
    const post = await getPost(db, null, id).catch((error: unknown) => {
      if (error instanceof Problem) return null;
      throw error;
    });
    const version = quickHashOf(JSON.stringify(post && [post.title, post.slug, post.html])).toString(36);
    found.push({ id, links: post ? listLinksElsewhere(post.html, origin) : [], version });
  }
  return found;
}

/** The feeds in which guests see a change. */
async function findFeeds(db: Reader, kinds: Kinds, changes: Change[]): Promise<Set<string>> {
  const visible = await findVisible(db, kinds, null, changes);
  return new Set([...visible].flatMap(({ kind }) => feeds[kind] ?? []));
}
