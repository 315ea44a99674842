import { longestComment } from "../../content/comments/comment.ts";
import { type TargetID, targets as targetTables } from "../../content/comments/target.ts";
import { type ImportedComment, insertImportedComments } from "../../content/comments/import.ts";
import type { Queries } from "../../platform/database/database.ts";
import { inChunks, list, sql } from "../../platform/database/sql.ts";
import type { CommentItem } from "../../../convert/format/lines.ts";
import { findRecordIDs, type Import, type ItemResult, type Outcome, resultOf, type WriteResults } from "./items.ts";
import type { PhotoDeps } from "../../content/albums/make-photo.ts";
import { makePhotosNow } from "./make-photos.ts";
import { commenterKey, type createPeopleWriter } from "./import-people.ts";
import { clean } from "../../platform/text.ts";

type Deps = PhotoDeps & { people: ReturnType<typeof createPeopleWriter> };
type Live = { isPage: boolean };
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
    const targets = await findTargets(items, importID);
    const authors = items.flatMap(({ author }) => ("person" in author ? [author.person] : []));
    const persons = await findRecordIDs(db, of, "person", authors);
    return async (tx) => {
      const { ids, made } = await people.addCommenters(tx, named);
      if (tx === null) throw new Error("A dry run writes nothing.");
      const live = await lockLive(tx, targets.values());
      const ready: Ready[] = [];
      const refused: ItemResult[] = [];
      for (const item of items) {
        const { author } = item;
        const target = targets.get(`${item.on.kind} ${item.on.key}`);
        const found = target && live.get(targetKey(target));
        const ownerID = "name" in author ? ids.get(commenterKey(author)) : (persons.get(author.person) ?? owner.id);
        if (target && found && !found.isPage && ownerID !== undefined && clean(item.content).trim() !== "")
          ready.push(toReady(item, target, ownerID));
        else refused.push(resultOf(item, whyNot(item, found)));
      }
      return [...made, ...refused, ...(await write(tx, ready))];
    };
  };

  /** What comments are on, as far as it was imported. Photos that nobody has made yet are made. */
  async function findTargets(items: CommentItem[], id: number): Promise<Map<string, TargetID>> {
    const found = new Map<string, TargetID>();
    const wanted = items.map(({ on }) => on);
    for (const [on, some] of Map.groupBy(wanted, ({ kind }) => kind)) {
      const keys = some.map(({ key }) => key);
      const ids = await findRecordIDs(db, of, on, keys);
      const unseen = new Map([...ids.values()].map((fileID) => [fileID, ""]));
      const photos = on === "file" ? await makePhotosNow(deps, { owner, importID: id }, unseen) : null;
      for (const [key, recordID] of ids) {
        const recordIn = photos ? photos.get(recordID) : recordID;
        if (recordIn !== undefined) found.set(`${on} ${key}`, { kind: on === "file" ? "photo" : on, id: recordIn });
      }
    }
    return found;
  }

  /** First those that are no replies, then the replies to them and to earlier ones. */
  async function write(tx: Queries, ready: Ready[]): Promise<ItemResult[]> {
    const threads = await findThreads(tx, ready);
    const [first, replies]: [Ready[], Ready[]] = [[], []];
    for (const one of ready) {
      const { item, comment } = one;
      const above = item.parent === null ? undefined : threads.get(item.parent);
      // A reply is on the same post, photo or album as what it replies to.
      const isReply = above && targetKey(above.target) === targetKey(comment.target);
      threads.set(item.key, isReply ? above : { id: null, target: comment.target });
      (isReply ? replies : first).push(one);
    }
    const ids = new Map<string, number>();
    for (const some of [first, replies]) {
      const comments = some.map(({ item, comment }) => ({ ...comment, parentID: threads.get(item.key)?.id ?? null }));
      for (const [index, id] of (await insertImportedComments(tx, comments)).entries()) {
        const { item } = some[index] as Ready;
        ids.set(item.key, id);
        if (some === first) Object.assign(threads.get(item.key) as Thread, { id });
      }
    }
    return ready.map(({ item, reason }) =>
      resultOf(item, { outcome: "added", recordID: ids.get(item.key) ?? null, reason }),
    );
  }

  /** The threads of earlier batches to which these reply, by the keys of the comments in them. */
  async function findThreads(tx: Queries, ready: Ready[]): Promise<Map<string, Thread>> {
    const parents = ready.flatMap(({ item }) => item.parent ?? []);
    const found = await findRecordIDs(db, of, "comment", parents);
    const rows = await inChunks([...found.values()], (some) =>
      tx.all<ThreadRow>(sql`
        SELECT id, coalesce(parent_id, id) AS top, target_kind AS kind, target_id AS "targetID"
        FROM comments WHERE id IN (${list(some)}) AND trash_id IS NULL`),
    );
    const byID = new Map(rows.map((row) => [row.id, { id: row.top, target: { kind: row.kind, id: row.targetID } }]));
    return new Map([...found].flatMap(([key, id]) => (byID.has(id) ? [[key, byID.get(id) as Thread] as const] : [])));
  }
}

/** The first comment, and what it is on. It has no id before it is stored. */
type Thread = { id: number | null; target: TargetID };
type ThreadRow = { id: number; top: number; kind: TargetID["kind"]; targetID: number };

const targetKey = ({ kind, id }: TargetID): string => `${kind} ${id}`;

function whyNot({ on: { kind } }: CommentItem, found: Live | undefined): Outcome {
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

/** Those that are not in the trash, which stay until the transaction ends, by their keys. */
async function lockLive(tx: Queries, targets: Iterable<TargetID>): Promise<Map<string, Live>> {
  const live = new Map<string, Live>();
  for (const [kind, some] of Map.groupBy(targets, (target) => target.kind)) {
    const isPage = kind === "post" ? sql`is_page` : sql`0`;
    const ids = [...new Set(some.map(({ id }) => id))];
    const rows = await inChunks(ids, (part) =>
      tx.all<{ id: number; is_page: number }>(sql`
        SELECT id, ${isPage} AS is_page FROM ${targetTables[kind].table}
        WHERE id IN (${list(part)}) AND trash_id IS NULL ORDER BY id ${tx.forShare}`),
    );
    for (const { id, is_page } of rows) live.set(targetKey({ kind, id }), { isPage: is_page === 1 });
  }
  return live;
}
