import { longestContent } from "../../content/blog/post.ts";
import { chooseSlug } from "../../content/blog/slugs.ts";
import { insertPost, updatePost } from "../../content/blog/write.ts";
import { addRedirects } from "../../core/redirects/store.ts";
import { findUser } from "../../core/users/store.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { forbidden, invalid } from "../../platform/errors.ts";
import type { Renderer } from "../../platform/markdown/renderer.ts";
import type { PostItem } from "../../../convert/format/lines.ts";
import { findRecordIDs, type Import, type Known, type Outcome } from "./items.ts";
import { makeAuthor } from "./import-people.ts";
import type { PhotoDeps } from "../../content/albums/make-photo.ts";
import { makePhotosNow } from "./make-photos.ts";
import { fillReferences, listReferences, type Resolved } from "../../content/blog/source-references.ts";
import { acceptableTags } from "./texts.ts";
import { clean, toLine, toText } from "../../platform/text.ts";

type Deps = PhotoDeps & { db: Database; markdown: Pick<Renderer, "render"> };

const year = 365 * 24 * 3_600_000;
const latest = Date.UTC(9999, 0);

/** Posts with their pictures. What takes time is done before the transaction that the returned function runs in. */
export function createPostWriter(deps: Deps, of: Import) {
  const { owner, importID } = of;
  const { db, markdown } = deps;

  return async (item: PostItem, before: Known | undefined): Promise<(tx: Queries | null) => Promise<Outcome>> => {
    if (item.isPage && owner.role !== "admin") throw forbidden("Only admins create pages.");
    const earlier = await findEarlier(db, before);
    if (earlier?.outcome === "known") return async () => earlier;
    if (importID === null) return async () => ({ outcome: "added", ...earlier });
    checkLength(item.content);
    const { content, coverID, lost } = await fill(item, importID);
    checkLength(content);
    const html = await markdown.render(content, owner.id);
    const people = await findRecordIDs(db, of, "person", item.author === null ? [] : [item.author]);
    const authorID = people.get(item.author ?? "") ?? owner.id;
    const title = toLine(item.title) || toLine(item.slug) || "Untitled";
    const times = timesOf(item);

    return async (tx) => {
      if (tx === null) throw new Error("A dry run writes nothing.");
      if (authorID !== owner.id) await makeAuthor(tx, authorID);
      const author = await findUser(tx, authorID);
      if (!author || author.role === "reader")
        throw invalid(`${author?.username ?? "Its author"} is a reader here: only authors own posts.`);
      const kind = item.isPage ? "page" : "post";
      const texts = {
        title,
        content: content.trim() === "" ? title : content,
        coverID,
        excerpt: toText(item.excerpt, 1000) || null,
        tags: acceptableTags(item.tags),
        publishedAt: times.publishedAt,
        commentsOpen: item.commentsOpen,
      } as const;
      // An admin sees the cover, whoever owns the photo.
      const writer = { id: authorID, role: "admin" } as const;
      const insert = async () => {
        const slug = await chooseSlug(tx, item.slug.trim() || title, kind);
        return insertPost(tx, writer, { kind, slug, visibility: item.visibility, imported: times, ...texts }, html);
      };
      const update = async (post: Earlier) => {
        // In the meantime, somebody may have changed it.
        if ((await readState(tx, post.recordID)) !== post.state) throw invalid(changedInBoth);
        // What was made private here, or chosen to be, is not made public by the source.
        const visibility = item.visibility === "private" ? { visibility: item.visibility } : {};
        return updatePost(tx, writer, post.recordID, { ...texts, ...visibility, html, isImported: true });
      };
      const { id, updatedAt } = earlier ? await update(earlier) : await insert();
      if (owner.role === "admin") await addRedirects(tx, item.oldAddresses, { kind: "post", recordID: id }, importID);
      const reasons = [times.reason, lost > 0 ? `${lost} of its pictures and files are missing.` : ""].filter(Boolean);
      const reason = reasons.join(" ") || null;
      return { outcome: earlier ? "changed" : "added", recordID: id, state: `${Date.parse(updatedAt)}`, reason };
    };
  };

  /** The content with records of the site where it refers to what the source calls by keys. */
  async function fill(item: PostItem, id: number): Promise<{ content: string; coverID: number | null; lost: number }> {
    const references = listReferences(clean(item.content));
    const keys = references.map(({ key }) => key);
    const files = await findRecordIDs(db, of, "file", item.cover === null ? keys : [...keys, item.cover]);
    const albums = await findRecordIDs(db, of, "album", keys);
    const coverFile = item.cover === null ? undefined : files.get(item.cover);
    const altTexts = new Map(coverFile === undefined ? [] : [[coverFile, ""]]);
    for (const { key, isPicture, altText } of references) {
      const file = files.get(key);
      if (isPicture && file !== undefined) altTexts.set(file, altText);
    }
    const photos = await makePhotosNow(deps, { owner, importID: id }, altTexts);
    const resolve = (key: string): Resolved => {
      const [fileID, albumID] = [files.get(key), albums.get(key)];
      if (fileID === undefined) return albumID === undefined ? null : { kind: "album", id: albumID };
      const photoID = photos.get(fileID);
      return photoID === undefined ? { kind: "file", id: fileID } : { kind: "photo", id: photoID };
    };
    const lost = references.filter(({ key, oldAddress }) => resolve(key) === null && oldAddress === null).length;
    const coverID = (coverFile === undefined ? undefined : photos.get(coverFile)) ?? null;
    return { content: fillReferences(clean(item.content), resolve), coverID, lost };
  }
}

function checkLength({ length }: string): void {
  if (length > longestContent) throw invalid(`It has more than ${longestContent.toLocaleString("en")} characters.`);
}

type Times = { publishedAt: string | null; createdAt: number; updatedAt: number; reason: string };

/** Times before 1970, and those that no date can have, are not possible. */
function timesOf({ publishedAt, createdAt, updatedAt }: PostItem): Times {
  const now = Date.now();
  const isPossible = (time: number | null) => time !== null && time > 0 && time < latest;
  const published = publishedAt === null ? null : isPossible(publishedAt) ? publishedAt : 1;
  const reason = published === publishedAt ? "" : "Its date is not possible here: it is the first one that is.";
  const past = [createdAt, published].find((time) => isPossible(time ?? null) && (time as number) <= now + year) ?? now;
  const created = Math.min(past, now);
  const updated = isPossible(updatedAt) ? Math.min(Math.max(updatedAt as number, created), now) : created;
  return {
    publishedAt: published === null ? null : new Date(published).toISOString(),
    createdAt: created,
    updatedAt: updated,
    reason,
  };
}

/** A post that came from this source earlier, and has changed there since. */
type Earlier = { outcome: "changed" | "known"; recordID: number; state: string; reason?: string };

/** Null for a post that is new here. One that was changed or deleted here stays as it is. */
async function findEarlier(db: Database, before: Known | undefined): Promise<Earlier | null> {
  if (!before || before.recordID === null) return null;
  const { recordID } = before;
  const state = before.fingerprint.split(" ")[1] ?? "";
  const now = await readState(db, recordID);
  if (now === state) return { outcome: "changed", recordID, state };
  const isChangedInBoth = now !== null && state !== "";
  return { outcome: "known", recordID, state, ...(isChangedInBoth && { reason: changedInBoth }) };
}

const changedInBoth = "It has changed in the source, and was also changed here: it stays as it is here.";

/** Changes with every change of the post here. */
async function readState(db: Reader, id: number): Promise<string | null> {
  const row = await db.get<{ updated_at: number }>(sql`
    SELECT updated_at FROM posts WHERE id = ${id} AND trash_id IS NULL`);
  return row && `${row.updated_at}`;
}
