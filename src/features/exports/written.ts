import type { Reader } from "../../platform/database/database.ts";
import { inChunks, list, sql } from "../../platform/database/sql.ts";
import { slugOf } from "../../platform/slug.ts";
import type { Entry, Scope } from "./entry.ts";
import { escapeName, isTooLong, shortenName, toLink } from "./names.ts";
import { textEntry } from "./originals.ts";
import type { PlacedFile, Places } from "./places.ts";
import { findUsername, readRows } from "./rows.ts";
import { getExported } from "./exported.ts";
import { escapeLabel, linkEmbeds, type Linked, listEmbeds, printFrontMatter } from "./texts.ts";
import type { Row } from "./values.ts";

type PostRow = {
  id: number;
  owner_id: number;
  trash_id: number | null;
  is_page: number;
  title: string;
  slug: string;
  status: string;
  is_private: number;
  published_at: number | null;
  comments_closed_at: number | null;
  created_at: number;
  updated_at: number;
  tags: string;
  excerpt: string | null;
  cover_id: number | null;
  content: string;
};

/** Posts, pages and albums as Markdown. */
export async function* listTexts(scope: Scope, places: Places): AsyncGenerator<Entry> {
  for await (const rows of readRows(scope, getExported(scope.schema, "posts"))) {
    for (const row of rows as unknown as PostRow[]) {
      const find = await findLinked(scope.db, places, [
        ...listEmbeds(row.content),
        ...(row.cover_id === null ? [] : [{ kind: "photo", id: row.cover_id }]),
      ]);
      const cover = row.cover_id === null ? null : find("photo", row.cover_id);
      const matter = printFrontMatter(await describePost(scope.db, row, cover));
      yield textEntry(pathOfPost(row), `${matter}${linkEmbeds(row.content, find)}\n`, row.updated_at);
    }
  }
  for await (const rows of readRows(scope, getExported(scope.schema, "albums"), [sql`trash_id IS NULL`]))
    for (const row of rows) yield await printAlbum(scope.db, places, row);
}

function pathOfPost({ id, slug, is_page, trash_id }: PostRow): string {
  if (trash_id !== null) return `trash/${trash_id}/index.md`;
  const name = escapeName(slug);
  return `${is_page === 1 ? "pages" : "posts"}/${isTooLong(name) ? `${shortenName(name)}-${id}` : name}/index.md`;
}

/** As other programs for sites read it; what they do not know is in `params`. */
async function describePost(db: Reader, row: PostRow, cover: Linked): Promise<Record<string, unknown>> {
  const slugs = await db.all<{ slug: string }>(
    sql`SELECT slug FROM post_slugs WHERE post_id = ${row.id} ORDER BY slug`,
  );
  const earlier = slugs.map(({ slug }) => slug).filter((slug) => slug !== row.slug);
  return {
    title: row.title,
    date: new Date(row.published_at ?? row.created_at),
    lastmod: new Date(row.updated_at),
    draft: row.status === "draft",
    slug: row.slug,
    ...(earlier.length > 0 && {
      aliases: earlier.map((slug) => `${row.is_page === 1 ? "" : "/blog"}/${encodeURIComponent(slug)}`),
    }),
    tags: JSON.parse(row.tags) as string[],
    ...(row.excerpt && { description: row.excerpt }),
    params: {
      id: row.id,
      author: await findUsername(db, row.owner_id),
      status: row.status,
      visibility: row.is_private === 1 ? "private" : "public",
      cover: cover && `../../${toLink(cover.path)}`,
      ...(row.comments_closed_at !== null && { commentsClosed: true }),
    },
  };
}

type Embedded = { kind: string; id: number };

/** Where embedded records lie in the export. */
async function findLinked(
  db: Reader,
  places: Places,
  embedded: Embedded[],
): Promise<(kind: string, id: number) => Linked> {
  const found = new Map<string, Linked>();
  const idsOf = (kind: string) => [...new Set(embedded.flatMap((one) => (one.kind === kind ? [one.id] : [])))];
  for (const { id, linked } of await linkPhotos(db, places, idsOf("photo"))) found.set(`photo:${id}`, linked);
  const files = await inChunks(idsOf("file"), (some) =>
    db.all<PlacedFile>(sql`SELECT id, parent_id, trash_id, name FROM files WHERE id IN (${list(some)})`),
  );
  for (const file of files)
    found.set(`file:${file.id}`, { name: file.name, path: await places.of(file), isPicture: false });
  const albums = await inChunks(idsOf("album"), (some) =>
    db.all<AlbumRow>(sql`SELECT id, name, trash_id FROM albums WHERE id IN (${list(some)})`),
  );
  for (const album of albums)
    if (album.trash_id === null)
      found.set(`album:${album.id}`, { name: album.name, path: pathOfAlbum(album), isPicture: false });
  return (kind, id) => found.get(`${kind}:${id}`) ?? null;
}

type PhotoLink = PlacedFile & { photo_id: number; title: string; alt_text: string };

async function linkPhotos(db: Reader, places: Places, ids: number[]) {
  const rows = await inChunks(ids, (some) =>
    db.all<PhotoLink>(sql`
      SELECT photos.id AS photo_id, photos.title, photos.alt_text, files.id, files.parent_id, files.trash_id, files.name
      FROM photos JOIN files ON files.id = photos.file_id WHERE photos.id IN (${list(some)})`),
  );
  return Promise.all(
    rows.map(async (row) => ({
      id: row.photo_id,
      linked: { name: row.alt_text || row.title, path: await places.of(row), isPicture: true },
    })),
  );
}

type AlbumRow = { id: number; name: string; trash_id: number | null };

const pathOfAlbum = ({ id, name }: AlbumRow): string =>
  `albums/${isTooLong(slugOf(name)) ? id : `${id}-${slugOf(name)}`.replace(/-$/, "")}/index.md`;

const photosAtOnce = 500;

/** Its photos in their order. */
async function printAlbum(db: Reader, places: Places, row: Row): Promise<Entry> {
  const album = row as unknown as AlbumRow & { description: string; is_private: number; cover_photo_id: number | null };
  const entries = await db.all<{ photo_id: number }>(sql`
    SELECT photo_id FROM album_photos WHERE album_id = ${album.id} ORDER BY position, photo_id`);
  const lines: string[] = [];
  for (let start = 0; start < entries.length; start += photosAtOnce) {
    const ids = entries.slice(start, start + photosAtOnce).map(({ photo_id }) => photo_id);
    const linked = new Map((await linkPhotos(db, places, ids)).map((one) => [one.id, one.linked]));
    for (const id of ids) {
      const one = linked.get(id);
      if (one) lines.push(`- [${escapeLabel(one.name)}](../../${toLink(one.path)})`);
    }
  }
  const matter = printFrontMatter({
    title: album.name,
    params: { id: album.id, visibility: album.is_private === 1 ? "private" : "public" },
  });
  const description = album.description ? `${album.description}\n\n` : "";
  return textEntry(pathOfAlbum(album), `${matter}${description}${lines.join("\n")}\n`, Number(row["updated_at"]));
}
