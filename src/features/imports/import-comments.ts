import { longestComment } from "../../content/comments/comment.ts";
import { type TargetID, targets as targetTables } from "../../content/comments/target.ts";
import { type ImportedComment, insertImportedComments } from "../../content/comments/import.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { inChunks, list, sql } from "../../platform/database/sql.ts";
import type { CommentItem } from "../../../convert/format/lines.ts";
import { findRecordIDs, type Import, type ItemResult, type Outcome, resultOf, type WriteResults } from "./items.ts";
import type { PhotoDeps } from "./make-photo.ts";
import { makePhotosNow } from "./make-photos.ts";
import { commenterKey, type createPeopleWriter } from "./import-people.ts";
import { clean } from "./texts.ts";

type Deps = PhotoDeps & { people: ReturnType<typeof createPeopleWriter> };
type Ready = { item: CommentItem; comment: ImportedComment; reason: string | null };

export function createCommentWriter({ people, ...deps }: Deps, of: Import) {
  const { owner, importID } = of;
  const { db } = deps;
  return async (items: CommentItem[]): Promise<WriteResults> => {
    const reason = "Only an admin can import the comments of others.";
    if (owner.role !== "admin") return async () => items.map((item) => resultOf(item, { reason }));
    const named = items.flatMap(({ author }) => ("name" in author ? [author] : []));
    const added = items.map((item) => resultOf(item, { outcome: "added" }));
    if (importID === null) return async (tx) => [...(await people.addCommenters(tx, named)).made, ...added];
    const makePhotos = (files: Map<number, string>) => makePhotosNow(deps, { owner, importID }, files);
    const targets = await findTargets(db, of, { items, makePhotos });
    const authors = items.flatMap(({ author }) => ("person" in author ? [author.person] : []));
    const persons = await findRecordIDs(db, of, "person", authors);
    return async (tx) => {
      const { ids, made } = await people.addCommenters(tx, named);
      if (tx === null) throw new Error("A dry run writes nothing.");
      const live = await lockLive(tx, [...targets.values()]);
      const ready: Ready[] = [];
      const refused: ItemResult[] = [];
      for (const item of items) {
        const { author } = item;
        const target = targets.get(targetKey(item.on));
        const found = target && live.get(target);
        const ownerID = "name" in author ? ids.get(commenterKey(author)) : (persons.get(author.person) ?? owner.id);
        if (target && found && !found.isPage && ownerID !== undefined && clean(item.content).trim() !== "")
          ready.push(toReady(item, target, ownerID));
        else refused.push(resultOf(item, whyNot(item, found)));
      }
      return [...made, ...refused, ...(await write(tx, ready))];
    };
  };

  /** First those that are no replies, then the replies to them and to earlier ones. */
  async function write(tx: Queries, ready: Ready[]): Promise<ItemResult[]> {
    const byKey = new Map(ready.map((one) => [one.item.key, one]));
    const earlier = await findThreads(
      tx,
      ready.flatMap(({ item: { parent } }) => (parent === null || byKey.has(parent) ? [] : [parent])),
    );
    const tops = new Map(ready.map((one) => [one, topOf(one.item, byKey)]));
    const isReply = (one: Ready) => {
      const top = tops.get(one);
      return top !== undefined && top !== one.item.key && (byKey.has(top) || earlier.has(top));
    };
    const first = ready.filter((one) => !isReply(one));
    const ids = new Map(await insert(tx, first));
    const threadOf = (key: string): Thread | undefined => {
      const id = ids.get(key);
      const { target } = byKey.get(key)?.comment ?? {};
      return id === undefined || !target ? earlier.get(key) : { id, target };
    };
    const replies = ready.filter(isReply).map((one) => {
      const thread = threadOf(tops.get(one) ?? "");
      // A reply is on the same post, photo or album as what it replies to.
      const { kind, id } = one.comment.target;
      const parentID = thread && thread.target.kind === kind && thread.target.id === id ? thread.id : null;
      return { ...one, comment: { ...one.comment, parentID } };
    });
    for (const [key, id] of await insert(tx, replies)) ids.set(key, id);
    return ready.map(({ item, reason }) =>
      resultOf(item, { outcome: "added", recordID: ids.get(item.key) ?? null, reason }),
    );
  }

  async function insert(tx: Queries, ready: Ready[]): Promise<[string, number][]> {
    const ids = await insertImportedComments(
      tx,
      ready.map(({ comment }) => comment),
    );
    return ready.map(({ item }, index) => [item.key, ids[index] as number]);
  }

  type Thread = { id: number; target: TargetID };
  type ThreadRow = { id: number; top: number; target_kind: TargetID["kind"]; target_id: number };

  /** The threads to which comments of earlier batches belong, by the keys of the comments. */
  async function findThreads(tx: Queries, keys: string[]): Promise<Map<string, Thread>> {
    const found = await findRecordIDs(db, of, "comment", keys);
    const rows = await inChunks([...found.values()], (some) =>
      tx.all<ThreadRow>(sql`
        SELECT id, coalesce(parent_id, id) AS top, target_kind, target_id
        FROM comments WHERE id IN (${list(some)}) AND trash_id IS NULL`),
    );
    const byID = new Map(
      rows.map((row) => [row.id, { id: row.top, target: { kind: row.target_kind, id: row.target_id } }]),
    );
    return new Map(
      [...found].flatMap(([key, id]) => {
        const thread = byID.get(id);
        return thread ? [[key, thread] as const] : [];
      }),
    );
  }
}

function whyNot({ on: { kind } }: CommentItem, found: { isPage: boolean } | undefined): Outcome {
  if (!found) return { reason: `The ${kind === "file" ? "photo" : kind} that it is on was not imported.` };
  return found.isPage ? { outcome: "noted", reason: "Pages have no comments here." } : { reason: "It is empty." };
}

function toReady(item: CommentItem, target: TargetID, ownerID: number): Ready {
  const content = clean(item.content).trim();
  const isLong = content.length > longestComment;
  const now = Date.now();
  const isPossible = item.createdAt !== null && item.createdAt > 0 && item.createdAt <= now;
  const comment: ImportedComment = {
    target,
    ownerID,
    parentID: null,
    content: isLong ? `${content.slice(0, longestComment - 1).toWellFormed()}…` : content,
    status: item.isHidden ? "hidden" : item.isWaiting ? "waiting" : "visible",
    createdAt: isPossible ? (item.createdAt as number) : now,
  };
  return { item, comment, reason: isLong ? `It was cut to ${longestComment.toLocaleString("en")} characters.` : null };
}

/** The first comment of a thread, as far as it is in this batch; that before it may be known from an earlier one. */
function topOf(item: CommentItem, byKey: Map<string, Ready>): string | undefined {
  let [key, parent] = [item.key, item.parent];
  // Comments that reply to each other in a circle have no first one.
  for (let steps = 0; parent !== null; steps++) {
    if (steps > byKey.size) return undefined;
    const above = byKey.get(parent);
    key = parent;
    if (!above) break;
    parent = above.item.parent;
  }
  return key;
}

const targetKey = ({ kind, key }: CommentItem["on"]): string => `${kind} ${key}`;

/** What comments are on, as far as it was imported. Photos that nobody has made yet are made. */
async function findTargets(
  db: Database,
  of: Import,
  { items, makePhotos }: { items: CommentItem[]; makePhotos(files: Map<number, string>): Promise<Map<number, number>> },
): Promise<Map<string, TargetID>> {
  const found = new Map<string, TargetID>();
  for (const [kind, some] of Map.groupBy(
    items.map(({ on }) => on),
    ({ kind }) => kind,
  )) {
    const ids = await findRecordIDs(
      db,
      of,
      kind,
      some.map(({ key }) => key),
    );
    const photos = kind === "file" ? await makePhotos(new Map([...ids.values()].map((id) => [id, ""]))) : null;
    for (const [key, recordID] of ids) {
      const id = photos ? photos.get(recordID) : recordID;
      if (id !== undefined) found.set(targetKey({ kind, key }), { kind: kind === "file" ? "photo" : kind, id });
    }
  }
  return found;
}

/** Those that are not in the trash, which stay until the transaction ends. */
async function lockLive(tx: Queries, targets: TargetID[]): Promise<Map<TargetID, { isPage: boolean }>> {
  const live = new Map<TargetID, { isPage: boolean }>();
  for (const [kind, some] of Map.groupBy(targets, ({ kind }) => kind)) {
    const isPage = kind === "post" ? sql`is_page` : sql`0`;
    const rows = await inChunks([...new Set(some.map(({ id }) => id))], (ids) =>
      tx.all<{ id: number; is_page: number }>(sql`
        SELECT id, ${isPage} AS is_page FROM ${targetTables[kind].table}
        WHERE id IN (${list(ids)}) AND trash_id IS NULL ORDER BY id ${tx.forShare}`),
    );
    const found = new Map(rows.map((row) => [row.id, { isPage: row.is_page === 1 }]));
    for (const target of some) {
      const one = found.get(target.id);
      if (one) live.set(target, one);
    }
  }
  return live;
}
