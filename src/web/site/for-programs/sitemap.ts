import { isShownTo } from "../../../content/albums/shown.ts";
import { listAlbums, listAlbumsByKey } from "../../../content/albums/store.ts";
import { countPages } from "../../../content/blog/public-pages.ts";
import { listPosts } from "../../../content/blog/store.ts";
import { listPostSummaries } from "../../../content/blog/summaries.ts";
import { missing } from "../../../platform/errors.ts";
import { listPhotosByKey } from "../../../content/photos/list-photos.ts";
import { hasShownPlaces } from "../../../content/photos/lists/map.ts";
import { listPhotos } from "../../../content/photos/store.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { withoutSharedDeadline } from "../../../platform/deadline.ts";
import { byID, type KeysetPage, type KeysetRequest } from "../../../platform/database/keyset.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { nextTurn } from "../../../platform/event-loop.ts";
import { longTextAnswer } from "../../../platform/http/long-text.ts";
import type { Route } from "../../../platform/http/route.ts";
import { countShownUsers, listShownUsers } from "../../../features/profiles/published.ts";
import type { Links } from "../links.ts";
import type { Visit } from "../page.ts";
import type { Renderer } from "../render.ts";
import { sectionsOf } from "../sections.ts";
import { webHeaders, webRoute } from "./web-route.ts";
import { withoutForbidden, xml, xmlDeclaration, type Xml } from "./xml.ts";

/** The most URLs that a sitemap may have. A site with more has an index of several. */
const maxURLs = 50_000;
/** Ids of one kind of record in each of these. Even the longest URLs stay below the limit of 50 MB. */
const idsPerPart = 40_000;
const contentType = "application/xml";

async function sectionPaths(db: Reader, visit: Visit): Promise<string[]> {
  const map = (await hasShownPlaces(db)) ? ["/map"] : [];
  return ["/", ...sectionsOf(visit).map(({ path }) => path), ...map];
}

/** One page of the site. */
type Place = { path: string; updatedAt?: string; picture?: Photo | null };

/** What the sitemap lists besides the sections: everything that guests see, by id. */
const kinds = [
  {
    table: "posts",
    count: countWith(listPosts),
    list: listWith(listPostSummaries, (post, links) => ({ path: links.post(post), picture: post.cover })),
  },
  {
    table: "photos",
    count: countWith(listPhotos),
    list: listWith(listPhotosByKey, (photo, links) => ({ path: links.photo(photo), picture: photo })),
  },
  {
    table: "albums",
    count: countWith(listAlbums),
    list: listWith(listShownAlbums, (album, links) => ({ path: links.album(album), picture: album.cover })),
  },
  { table: "users", count: countShownUsers, list: listedPeople },
  {
    table: "posts",
    count: countPages,
    list: listWith(
      (db, viewer, _query, request) => listPostSummaries(db, viewer, { kind: "page" }, request),
      (page, links) => ({ path: links.post(page), picture: page.cover }),
    ),
  },
] as const;

/** Empty albums are not listed. */
function listShownAlbums(db: Reader, viewer: null, query: object, request: KeysetRequest) {
  return listAlbumsByKey(db, viewer, query, { ...request, only: isShownTo(viewer) });
}

type Kind = (typeof kinds)[number];
/** Records with ids above `after`, up to `last`. */
type Part = { kind: Kind; after: number; last: number };

export function sitemapRoutes(db: Reader, renderer: Renderer): Route[] {
  return [
    webRoute(renderer, {
      path: "/sitemap.xml",
      contentType,
      async handle(visit) {
        const sections = await sectionPaths(db, visit);
        let total = sections.length;
        for (const kind of kinds) if (total <= maxURLs) total += await kind.count(db);
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
          printPlaces(db, visit, number === 1 ? await sectionPaths(db, visit) : [], [part]),
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
    await nextTurn();
    if (index > 0 && (await isEmpty(db, visit, part))) continue;
    yield xml`<sitemap><loc>${visit.origin}/sitemap-${index + 1}.xml</loc></sitemap>\n`.toString();
  }
  yield "</sitemapindex>\n";
}

async function isEmpty(db: Reader, visit: Visit, { kind, after, last }: Part): Promise<boolean> {
  for await (const places of stepwise(kind.list(db, visit, { after, last, size: 1 }))) {
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

type Ids = Omit<Part, "kind"> & { size?: number };

/** A part has the ids of a page and its records by few statements: others wait no longer than for a page of the site. */
const placesPerPage = 1000;
const placesPerRead = 500;

/** The records of a part, read as guests see them. */
async function* readPart<Item extends { id: number }>(
  read: (request: KeysetRequest) => Promise<KeysetPage<Item>>,
  { after, last, size = placesPerPage }: Ids,
): AsyncGenerator<Item[]> {
  for (let position: number | null = after; position !== null;) {
    const page: KeysetPage<Item> = await read({
      sort: byID,
      order: "asc",
      after: { id: position, key: null },
      size,
      atOnce: placesPerRead,
    });
    for await (const items of page.items) yield items.filter(({ id }) => id <= last);
    position = page.next && page.next.id < last ? page.next.id : null;
  }
}

/** `list` reads records as guests see them, by cursor. */
function listWith<Item extends { id: number; updatedAt: string }>(
  list: (db: Reader, viewer: null, query: object, request: KeysetRequest) => Promise<KeysetPage<Item>>,
  placeOf: (item: Item, links: Links) => Place,
) {
  return async function* (db: Reader, { links }: Visit, ids: Ids): AsyncGenerator<Place[]> {
    for await (const items of readPart((request) => list(db, null, {}, request), ids)) {
      yield items.map((item) => ({ updatedAt: item.updatedAt, ...placeOf(item, links) }));
    }
  };
}

async function* listedPeople(db: Reader, { links }: Visit, ids: Ids): AsyncGenerator<Place[]> {
  for await (const people of listShownUsers(db, ids))
    yield people.map(({ username }) => ({ path: links.person(username) }));
}
