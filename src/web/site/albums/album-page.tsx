/** @jsxImportSource hono/jsx */
import type { Album } from "../../../content/albums/album.ts";
import { listParents } from "../../../content/albums/nesting.ts";
import { getAlbum } from "../../../content/albums/store.ts";
import { listPostsEmbedding } from "../../../content/blog/embedded-in.ts";
import type { Database, Reader } from "../../../platform/database/database.ts";
import type { Trash } from "../../../core/trash/trash.ts";
import type { PublicPerson } from "../../../features/profiles/profile.ts";
import { AuthorLink, findAuthors } from "../author.tsx";
import { Breadcrumb } from "../breadcrumb.tsx";
import { discussablePages } from "../comments/pages.ts";
import {
  type Topic,
  discussionQuery,
  isWhole,
  readDiscussion,
  type DiscussionState,
  toShown,
} from "../comments/discussion.ts";
import { CommentSection } from "../comments/section.tsx";
import { cursorQuery } from "../cursor.ts";
import { EditLink } from "../edit-link.tsx";
import { Heart, readHearts } from "../hearts/heart.tsx";
import { albumPart, type Links } from "../links.ts";
import { type Page, page, readAlbumID, redirect, type View, type Visit } from "../page.ts";
import { Pager } from "../pager.tsx";
import { PhotoRows } from "../photos/photo-rows.tsx";
import { Places } from "../photos/places.tsx";
import { albumTexts } from "../texts/albums.ts";
import { commonTexts } from "../texts/common.ts";
import { photoTexts } from "../texts/photos.ts";
import { albumHead } from "../for-programs/head.tsx";
import { AlbumCards } from "./album-cards.tsx";
import { contentLine } from "./content-line.ts";
import { listNested, readPhotosOnPage } from "./read-album.ts";

const maxPosts = 20;

const albumPath = "/albums/:album{[0-9][^/]*}";

export const albumPage = (db: Database, trash: Trash): Page[] => [
  page({
    path: albumPath,
    query: cursorQuery.extend(discussionQuery.shape),
    async handle({ params, query, ...visit }) {
      const { viewer, links, search } = visit;
      const part = params["album"] ?? "";
      const album = await getAlbum(db, viewer, readAlbumID(part));
      if (part !== decodeURIComponent(albumPart(album))) return redirect(links.album(album) + search, 308);
      return viewAlbum(db, visit, album, { cursor: query.cursor, ...toShown(query) });
    },
  }),

  ...discussablePages(db, trash, {
    path: albumPath,
    get: ({ params, viewer }) => getAlbum(db, viewer, readAlbumID(params["album"])),
    about: topicOfAlbum,
    view: (call, album, shown) => viewAlbum(db, call, album, shown),
    hasComments: ({ settings }) => settings.photoComments,
  }),
];

const topicOfAlbum = (links: Links, album: Album): Topic => ({
  target: { kind: "album", id: album.id, ownerID: album.ownerID },
  path: links.album(album),
  isOpen: true,
});

/** The first page of an album has the comments on it. */
async function viewAlbum(
  db: Reader,
  visit: Visit,
  album: Album,
  { cursor, ...shown }: DiscussionState & { cursor?: string | undefined },
): Promise<View> {
  const { viewer, language, links, settings } = visit;
  const t = albumTexts[language];
  const { id } = album;
  const about = topicOfAlbum(links, album);
  const [authors, parents, posts, nested, { photos, next, previous }, discussion, hearts] = await Promise.all([
    findAuthors(db, [album]),
    listParents(db, viewer, album),
    listPostsEmbedding(db, viewer, { kind: "album", id }, maxPosts),
    cursor ? [] : listNested(db, viewer, id),
    readPhotosOnPage(db, viewer, id, cursor),
    settings.photoComments && !cursor ? readDiscussion(db, viewer, about.target, shown) : null,
    album.visibility === "public" && !cursor ? readHearts(db, visit, about.target, shown.heart) : null,
  ]);
  const owner = authors.get(album.ownerID);
  const linkTo = (query: string) => links.album(album) + query;
  const isEmpty = photos.length + nested.length === 0;
  const isListed = album.visibility === "public" && !cursor && !links.prefix && !isEmpty;
  return {
    title: album.name,
    description: album.description,
    section: "albums",
    canonical: isListed && isWhole(shown) ? links.album(album) : null,
    hasComments: discussion !== null,
    takesMentions: discussion !== null && album.visibility === "public",
    ...(shown.status && { status: shown.status }),
    head: (
      <>
        {albumHead(visit, album, photos, owner ?? null)}
        {previous === null ? null : <link rel="prev" href={linkTo(previous)} />}
        {next === null ? null : <link rel="next" href={linkTo(next)} />}
      </>
    ),
    body: (
      <>
        <div class="wide h-entry">
          <a class="u-url" href={about.path} hidden />
          <time class="dt-published" datetime={album.createdAt} hidden />
          <header class="page-head">
            <Breadcrumb
              label={t.breadcrumb}
              steps={[
                ...(links.prefix === "" ? [{ href: "/albums", name: t.title }] : []),
                ...parents.map((parent) => ({ href: links.album(parent), name: parent.name })),
              ]}
            />
            <h1 class="p-name" dir="auto">
              {album.name}
            </h1>
            <AlbumLine album={album} albumCount={nested.length} owner={owner} visit={visit} />
            {album.description ? (
              <p class="description p-summary" dir="auto">
                {album.description}
              </p>
            ) : null}
            <Heart visit={visit} hearts={hearts} path={about.path} />
          </header>
          {nested.length > 0 ? (
            <section class="nested" aria-label={t.nested}>
              <AlbumCards albums={nested} visit={visit} isFirst />
            </section>
          ) : null}
          {photos.length > 0 ? (
            <PhotoRows photos={photos} visit={visit} albumID={id} isFirst={nested.length === 0} />
          ) : isEmpty ? (
            <div class="empty">
              <p>{t.emptyAlbum}</p>
            </div>
          ) : null}
          <Pager
            label={t.pages}
            previous={previous === null ? null : [linkTo(previous), commonTexts[language].previous]}
            next={next === null ? null : [linkTo(next), commonTexts[language].next]}
          />
          <Places
            title={photoTexts[language].usedIn}
            places={posts.map((post) => ({ href: links.post(post), name: post.title }))}
          />
        </div>
        {discussion && (album.visibility === "public" || discussion.count > 0) ? (
          <CommentSection visit={visit} about={about} discussion={discussion} />
        ) : null}
      </>
    ),
  };
}

type AlbumLineProps = { album: Album; albumCount: number; owner: PublicPerson | undefined; visit: Visit };

function AlbumLine({ album, albumCount, owner, visit }: AlbumLineProps) {
  const { links, language } = visit;
  return (
    <p class="meta">
      <span>{contentLine({ ...album, albumCount }, language)}</span>
      {owner ? (
        <span>
          {photoTexts[language].by} <AuthorLink author={owner} links={links} />
        </span>
      ) : null}
      {album.photoCount > 0 && !visit.isCopy ? (
        <a href={links.api(`/api/v1/albums/${album.id}/zip`)} download rel="nofollow">
          {albumTexts[language].download}
        </a>
      ) : null}
      <EditLink visit={visit} section="albums" record={album} />
      {album.visibility === "private" ? <span class="chip">{commonTexts[language].private}</span> : null}
    </p>
  );
}
