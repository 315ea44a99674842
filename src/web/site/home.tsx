/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { z } from "zod";
import { byAlbumOrder } from "../../content/albums/move-album.ts";
import { countAlbumsIn, type CountedAlbum, isShownTo } from "../../content/albums/shown.ts";
import { listAlbumsByKey } from "../../content/albums/store.ts";
import type { PostSummary } from "../../content/blog/summaries.ts";
import { listPhotosByKey } from "../../content/photos/list-photos.ts";
import { byTakenAt } from "../../content/photos/lists/filters.ts";
import type { Photo } from "../../content/photos/photo.ts";
import type { Reader } from "../../platform/database/database.ts";
import { findMoved } from "../../features/redirects/resolve.ts";
import { missing } from "../../platform/errors.ts";
import { AlbumCards } from "./albums/album-cards.tsx";
import { type Authors, findAuthors } from "./author.tsx";
import { LeadPost, PostCards, PostLines } from "./blog/post-card.tsx";
import { readPostList } from "./blog/post-list.ts";
import { newest, readAll } from "./cursor.ts";
import { page, type Page, redirect, type View, type Visit } from "./page.ts";
import { type AlbumNames, findAlbumNames } from "./photo-name.ts";
import { PhotoRows } from "./photos/photo-rows.tsx";
import { commonTexts } from "./texts/common.ts";
import { themeNames } from "../../core/settings/settings.ts";
import { themes } from "../themes/themes.ts";
import { homeHead } from "./for-programs/head.tsx";
import { findSitePhoto } from "./brand.tsx";
import { Hero, Masthead } from "./masthead.tsx";
import { previewQuery, readPreview } from "./unsaved-look.ts";

/** How much of each the front page shows, by the layout of the theme. */
const sizes = {
  lead: { posts: 7, photos: 14, albums: 4 },
  pictures: { posts: 4, photos: 30, albums: 6 },
  list: { posts: 20, photos: 6, albums: 0 },
} as const;

/** How an earlier site may have called its pages. */
const recordNumber = z.string().max(15).optional().catch(undefined);
const formerQuery = z.object({ p: recordNumber, page_id: recordNumber, attachment_id: recordNumber });

/** The front page: the newest of everything that is public, and the first albums. */
export function homePages(db: Reader): Page[] {
  return [
    page({
      path: "/",
      query: formerQuery,
      async handle({ query, ...visit }) {
        const former = Object.entries(query).find(([, value]) => value !== undefined);
        const moved = former ? await findMoved(db, `/?${former[0]}=${encodeURIComponent(former[1] ?? "")}`) : null;
        return moved === null ? readHome(db, visit) : redirect(moved, 301);
      },
    }),

    page({
      path: "/studio/preview/:theme",
      query: previewQuery,
      async handle({ params, query, ...visit }) {
        const theme = themeNames.find((name) => name === params.theme);
        if (!theme || visit.viewer?.role !== "admin") throw missing("such page");
        const settings = { ...visit.settings, ...readPreview(query), theme };
        const preview = { settings, logo: await findSitePhoto(db, settings.logoPhotoID) };
        return { ...(await readHome(db, { ...visit, ...preview })), canonical: null, preview };
      },
    }),
  ];
}

async function readHome(db: Reader, visit: Visit): Promise<View> {
  const { settings, language } = visit;
  const { home } = themes[settings.theme];
  const size = sizes[home];
  const [{ posts }, photoPage, albumPage] = await Promise.all([
    readPostList(db, {}, { size: size.posts }),
    listPhotosByKey(db, null, {}, newest(size.photos, byTakenAt)),
    // One is enough to know whether there are any, where none is shown.
    listAlbumsByKey(
      db,
      null,
      { parentID: "none" },
      { sort: byAlbumOrder, order: "asc", after: null, size: Math.max(1, size.albums), only: isShownTo(null) },
    ),
  ]);
  const [photos, found] = await Promise.all([readAll(photoPage.items), readAll(albumPage.items)]);
  const albums = await countAlbumsIn(db, null, found);
  const authors = await findAuthors(db, posts);
  const named = await findAlbumNames(db, null, photos);
  const cover = await findSitePhoto(db, settings.coverPhotoID);
  const content = { visit, cover, posts, photos, named, albums: size.albums === 0 ? [] : albums, authors };
  const Layout = layouts[home];
  return {
    title: null,
    description: settings.tagline,
    canonical: "/",
    head: homeHead(visit, cover),
    body: (
      <>
        <Hero visit={visit} cover={cover} />
        <div class="wide home">
          <Masthead visit={visit} cover={cover} />
          {posts.length + photos.length + albums.length === 0 ? (
            <p class="empty">{commonTexts[language].nothingYet}</p>
          ) : (
            <Layout {...content} />
          )}
        </div>
      </>
    ),
  };
}

type Content = {
  visit: Visit;
  /** What a visitor sees first, if there is one. */
  cover: Photo | null;
  posts: PostSummary[];
  photos: Photo[];
  named: AlbumNames;
  albums: CountedAlbum[];
  authors: Authors;
};

const layouts = {
  lead: ({ visit, cover, posts: [lead, ...posts], authors, ...rest }: Content) => (
    <>
      {lead ? <LeadPost post={lead} visit={visit} author={authors.get(lead.ownerID)} isFirst={!cover} /> : null}
      <Posts visit={visit} posts={posts} authors={authors} isFirst={!(cover ?? lead?.cover)} />
      <Photos
        visit={visit}
        photos={rest.photos}
        named={rest.named}
        isFirst={!cover && ![lead, ...posts].some((post) => post?.cover)}
      />
      <Albums visit={visit} albums={rest.albums} />
    </>
  ),
  pictures: ({ visit, cover, posts, photos, named, albums, authors }: Content) => (
    <>
      <Photos visit={visit} photos={photos} named={named} isFirst={!cover} />
      <Albums visit={visit} albums={albums} />
      <Posts visit={visit} posts={posts} authors={authors} isFirst={!cover && photos.length === 0} />
    </>
  ),
  list: ({ visit, cover, posts, photos, named }: Content) => (
    <>
      <Section visit={visit} title="blog" all="allPosts" href="/blog" isEmpty={posts.length === 0}>
        <PostLines posts={posts} visit={visit} />
      </Section>
      <Photos visit={visit} photos={photos} named={named} isFirst={!cover} />
    </>
  ),
};

type PostsProps = Pick<Content, "visit" | "posts" | "authors"> & { isFirst: boolean };

const Posts = ({ visit, posts, authors, isFirst }: PostsProps) => (
  <Section visit={visit} title="blog" all="allPosts" href="/blog" isEmpty={posts.length === 0}>
    <PostCards posts={posts} visit={visit} authors={authors} heading="h3" isFirst={isFirst} />
  </Section>
);

type PhotosProps = Pick<Content, "visit" | "photos" | "named"> & { isFirst: boolean };

const Photos = ({ visit, photos, named, isFirst }: PhotosProps) => (
  <Section visit={visit} title="photos" all="allPhotos" href="/photos" isEmpty={photos.length === 0}>
    <PhotoRows photos={photos} visit={visit} albums={named} isFirst={isFirst} />
  </Section>
);

const Albums = ({ visit, albums }: Pick<Content, "visit" | "albums">) => (
  <Section visit={visit} title="albums" all="allAlbums" href="/albums" isEmpty={albums.length === 0}>
    <AlbumCards albums={albums} visit={visit} heading="h3" />
  </Section>
);

type SectionProps = {
  visit: Visit;
  title: "blog" | "photos" | "albums";
  all: "allPosts" | "allPhotos" | "allAlbums";
  href: string;
  isEmpty: boolean;
  children?: Child;
};

function Section({ visit: { language }, title, all, href, isEmpty, children }: SectionProps) {
  if (isEmpty) return null;
  const t = commonTexts[language];
  return (
    <section>
      <header class="section-head">
        <h2>{t[title]}</h2>
        <a href={href}>{t[all]}</a>
      </header>
      {children}
    </section>
  );
}
