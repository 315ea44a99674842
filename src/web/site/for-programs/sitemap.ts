import { listAlbums, listAlbumsByKey } from "../../../content/albums/store.ts";
import { listPosts } from "../../../content/blog/store.ts";
import { listPostSummaries } from "../../../content/blog/summaries.ts";
import { missing } from "../../../platform/errors.ts";
import { listPhotosByKey } from "../../../content/photos/list-photos.ts";
import { listPhotos } from "../../../content/photos/store.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { withoutSharedDeadline } from "../../../platform/deadline.ts";
import { byID, type KeysetPage } from "../../../platform/database/keyset.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { longTextAnswer } from "../../../platform/http/long-text.ts";
import type { Route } from "../../../platform/http/route.ts";
import { countShownUsers, listShownUsers } from "../../../core/users/shown.ts";
import type { Visit } from "../page.ts";
import type { Renderer } from "../render.ts";
import { webHeaders, webRoute } from "./web-route.ts";
import { withoutForbidden, xml, xmlDeclaration, type Xml } from "./xml.ts";

/** The most URLs that a sitemap may have. A site with more has an index of several. */
const maxURLs = 50_000;
/** Ids of one kind of record in each of these. Even the longest URLs stay below the limit of 50 MB. */
const idsPerPart = 40_000;
const contentType = "application/xml";

const sectionsOf = ({ hasFiles }: Visit): string[] => [
  "/",
  "/blog",
  "/photos",
  "/albums",
  ...(hasFiles ? ["/browse"] : []),
];

/** One page of the site. */
type Place = { path: string; updatedAt?: string; picture?: Photo | null };

/** What the sitemap lists besides the sections: everything that guests see, by id. */
const kinds = [
  { table: "posts", count: countWith(listPosts), list: listedPosts },
  { table: "photos", count: countWith(listPhotos), list: listedPhotos },
  { table: "albums", count: countWith(listAlbums), list: listedAlbums },
  { table: "users", count: countShownUsers, list: listedPeople },
] as const;

type Kind = (typeof kinds)[number];
/** Records with ids above `after`, up to `last`. */
type Part = { kind: Kind; after: number; last: number };

export function sitemapRoutes(db: Reader, renderer: Renderer): Route[] {
  return [
    webRoute(renderer, {
      path: "/sitemap.xml",
      contentType,
      async handle(visit) {
        const sections = sectionsOf(visit);
        let total = sections.length;
        for (const kind of kinds) total += await kind.count(db);
        const whole = kinds.map((kind): Part => ({ kind, after: 0, last: Number.MAX_SAFE_INTEGER }));
        const isIndex = total > maxURLs;
        const texts = isIndex ? printIndex(db, visit, await listParts(db)) : printPlaces(db, visit, sections, whole);
        return longTextAnswer(contentType, texts, webHeaders);
      },
    }),

    webRoute(renderer, {
      path: "/:file{sitemap-[0-9]+\\.xml}",
      contentType,
      async handle(visit) {
        const number = Number(/^sitemap-([1-9]\d{0,5})\.xml$/.exec(visit.params.file ?? "")?.[1]);
        const part = (await listParts(db))[number - 1];
        if (!part) throw missing("such part of the sitemap");
        return longTextAnswer(
          contentType,
          printPlaces(db, visit, number === 1 ? sectionsOf(visit) : [], [part]),
          webHeaders,
        );
      },
    }),
  ];
}

/** Ranges of ids do not move when records are deleted or become private. */
async function listParts(db: Reader): Promise<Part[]> {
  const parts: Part[] = [];
  for (const kind of kinds) {
    const newest = await db.get<{ id: number | null }>(sql`SELECT max(id) AS id FROM ${raw(kind.table)}`);
    for (let after = 0; after < Math.max(1, newest?.id ?? 0); after += idsPerPart) {
      parts.push({ kind, after, last: after + idsPerPart });
    }
  }
  return parts;
}

/** A sitemap must have a URL, so parts without one are left out. The sections are in the first. */
async function* printIndex(db: Reader, visit: Visit, parts: Part[]): AsyncGenerator<string> {
  yield `${xmlDeclaration}<sitemapindex xmlns="${namespace}">\n`;
  for (const [index, part] of parts.entries()) {
    if (index > 0 && (await isEmpty(db, visit, part))) continue;
    yield xml`<sitemap><loc>${visit.origin}/sitemap-${index + 1}.xml</loc></sitemap>\n`.toString();
  }
  yield "</sitemapindex>\n";
}

async function isEmpty(db: Reader, visit: Visit, { kind, after, last }: Part): Promise<boolean> {
  for await (const places of stepwise(kind.list(db, visit, { after, last, atOnce: 1 }))) {
    if (places.length > 0) return false;
  }
  return true;
}

const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
const imageNamespace = "http://www.google.com/schemas/sitemap-image/1.1";

async function* printPlaces(
  db: Reader,
  visit: Visit,
  first: readonly string[],
  parts: readonly Part[],
): AsyncGenerator<string> {
  yield `${xmlDeclaration}<urlset xmlns="${namespace}" xmlns:image="${imageNamespace}">\n`;
  yield print(
    visit,
    first.map((path) => ({ path })),
  );
  for (const part of parts)
    for await (const places of stepwise(part.kind.list(db, visit, part))) yield print(visit, places);
  yield "</urlset>\n";
}

/** A sitemap may take longer than other requests: each of its steps has the whole time limit of a request. */
async function* stepwise<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  for (;;) {
    const { value, done } = await withoutSharedDeadline(() => items.next());
    if (done) return;
    yield value;
  }
}

const print = (visit: Visit, places: Place[]) =>
  withoutForbidden(places.map((place) => printPlace(visit, place).toString()).join(""));

function printPlace({ origin }: Visit, { path, updatedAt, picture }: Place): Xml {
  const image = picture?.variants.at(-1);
  return xml`<url><loc>${origin + path}</loc>${updatedAt && xml`<lastmod>${updatedAt}</lastmod>`}${
    image && xml`<image:image><image:loc>${origin + image.url}</image:loc></image:image>`
  }</url>\n`;
}

/** The total of a list is stored with it. */
function countWith(
  list: (db: Reader, viewer: null, page: { offset: number; size: number }) => Promise<{ total: number }>,
) {
  return async (db: Reader) => (await list(db, null, { offset: 0, size: 1 })).total;
}

type Ids = Omit<Part, "kind"> & { atOnce?: number };

/** The records of a part, read as guests see them. */
async function* readPart<Item extends { id: number }>(
  read: (request: {
    sort: typeof byID;
    order: "asc";
    after: { id: number; key: null } | null;
    size: number;
  }) => Promise<KeysetPage<Item>>,
  { after, last, atOnce = 1000 }: Ids,
): AsyncGenerator<Item[]> {
  for (let position: number | null = after; position !== null;) {
    const page: KeysetPage<Item> = await read({
      sort: byID,
      order: "asc",
      after: { id: position, key: null },
      size: atOnce,
    });
    for await (const items of page.items) yield items.filter(({ id }) => id <= last);
    position = page.next && page.next.id < last ? page.next.id : null;
  }
}

async function* listedPosts(db: Reader, { links }: Visit, ids: Ids): AsyncGenerator<Place[]> {
  for await (const posts of readPart((request) => listPostSummaries(db, null, {}, request), ids)) {
    yield posts.map((post) => ({ path: links.post(post), updatedAt: post.updatedAt, picture: post.cover }));
  }
}

async function* listedPhotos(db: Reader, { links }: Visit, ids: Ids): AsyncGenerator<Place[]> {
  for await (const photos of readPart((request) => listPhotosByKey(db, null, {}, request), ids)) {
    yield photos.map((photo) => ({ path: links.photo(photo), updatedAt: photo.updatedAt, picture: photo }));
  }
}

async function* listedAlbums(db: Reader, { links }: Visit, ids: Ids): AsyncGenerator<Place[]> {
  for await (const albums of readPart((request) => listAlbumsByKey(db, null, {}, request), ids)) {
    yield albums.map((album) => ({ path: links.album(album), updatedAt: album.updatedAt, picture: album.cover }));
  }
}

async function* listedPeople(db: Reader, { links }: Visit, ids: Ids): AsyncGenerator<Place[]> {
  for await (const people of listShownUsers(db, ids))
    yield people.map(({ username }) => ({ path: links.person(username) }));
}
