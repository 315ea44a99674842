/** @jsxImportSource hono/jsx */
import { findPhotoInAlbum, listAlbumsOfPhoto } from "../../../content/albums/albums-of-photo.ts";
import { listPostsEmbedding } from "../../../content/blog/embedded-in.ts";
import { findNeighbours } from "../../../content/photos/neighbours.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import { getPhoto } from "../../../content/photos/store.ts";
import type { Database, Reader } from "../../../platform/database/database.ts";
import { queryInteger } from "../../../platform/http/validate.ts";
import type { Trash } from "../../../core/trash/trash.ts";
import { AuthorLink, findAuthors } from "../author.tsx";
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
import { EditLink } from "../edit-link.tsx";
import { Heart, readHearts } from "../hearts/heart.tsx";
import type { Language } from "../language.ts";
import type { Links } from "../links.ts";
import { type Page, page, readID, type View, type Visit } from "../page.ts";
import { photoTexts } from "../texts/photos.ts";
import { photoHead } from "../for-programs/head.tsx";
import { Facts } from "./facts.tsx";
import { findAlbumNames, nameOf } from "../photo-name.ts";
import { downloadURL, printBytes } from "./format.ts";
import { Places } from "./places.tsx";
import { Stage } from "./stage.tsx";

/** More albums and posts are not named on the page. */
const maxPlaces = 20;

const photoPath = "/photos/:id{[0-9]+}";

export const photoPage = (db: Database, trash: Trash): Page[] => [
  page({
    path: photoPath,
    query: discussionQuery.extend({ album: queryInteger(Number.MAX_SAFE_INTEGER).optional() }),
    async handle({ params, query, ...visit }) {
      const photo = await getPhoto(db, visit.viewer, readID(params["id"]));
      return viewPhoto(db, visit, photo, { albumID: query.album, ...toShown(query) });
    },
  }),

  ...discussablePages(db, trash, {
    path: photoPath,
    get: ({ params, viewer }) => getPhoto(db, viewer, readID(params["id"])),
    about: topicOfPhoto,
    view: (call, photo, shown) => viewPhoto(db, call, photo, shown),
    hasComments: ({ settings }) => settings.photoComments,
  }),
];

const topicOfPhoto = (links: Links, photo: Photo): Topic => ({
  target: { kind: "photo", id: photo.id, ownerID: photo.ownerID },
  path: links.photo(photo),
  isOpen: true,
});

/** `albumID` is where the visitor comes from. */
async function viewPhoto(
  db: Reader,
  visit: Visit,
  photo: Photo,
  { albumID, ...shown }: DiscussionState & { albumID?: number | undefined },
): Promise<View> {
  const { viewer, language, links, settings } = visit;
  const t = photoTexts[language];
  const { id } = photo;
  const about = topicOfPhoto(links, photo);
  const [authors, albums, posts, inAlbum, discussion, hearts] = await Promise.all([
    findAuthors(db, [photo]),
    listAlbumsOfPhoto(db, viewer, id, maxPlaces),
    listPostsEmbedding(db, viewer, { kind: "photo", id }, maxPlaces),
    albumID === undefined ? null : findPhotoInAlbum(db, viewer, albumID, id),
    settings.photoComments ? readDiscussion(db, viewer, about.target, shown) : null,
    photo.visibility === "public" ? readHearts(db, visit, about.target, shown.heart) : null,
  ]);
  const owner = authors.get(photo.ownerID);
  const names = await findAlbumNames(db, viewer, [photo]);
  const name = nameOf(photo, language, names);
  const { previous, next } = inAlbum ?? (await findNeighbours(db, viewer, photo));
  const within = inAlbum ? `?album=${inAlbum.album.id}` : "";
  return {
    title: name,
    description: photo.description || photo.altText,
    section: "photos",
    canonical: photo.visibility === "private" || links.prefix || !isWhole(shown) ? null : `/photos/${id}`,
    hasComments: discussion !== null,
    takesMentions: discussion !== null && photo.visibility === "public",
    ...(shown.status && { status: shown.status }),
    head: (
      <>
        {photoHead(visit, photo, owner ?? null, names)}
        {previous ? <link rel="prev" href={links.photo(previous) + within} /> : null}
        {next ? <link rel="next" href={links.photo(next) + within} /> : null}
      </>
    ),
    body: (
      <>
        <article class="photo-page h-entry">
          <a class="u-url" href={about.path} hidden />
          <time class="dt-published" datetime={photo.createdAt} hidden />
          <div class="viewer">
            <Stage photo={photo} links={links} language={language} albums={names} />
            <nav class="photo-nav wide" aria-label={t.title}>
              <Neighbour photo={previous} rel="prev" within={within} visit={visit} />
              <a href={inAlbum ? links.album(inAlbum.album) : "/photos"} dir="auto">
                {inAlbum ? inAlbum.album.name : t.allPhotos}
              </a>
              <Neighbour photo={next} rel="next" within={within} visit={visit} />
            </nav>
          </div>
          <div class="photo-text column">
            <div>
              <h1 class="p-name" dir="auto">
                {name}
              </h1>
              <p class="meta">
                {photo.visibility === "private" ? <span class="chip">{t.private}</span> : null}
                {photo.isFavourite ? <span class="chip">★ {t.favourite}</span> : null}
                {owner ? (
                  <span>
                    {t.by} <AuthorLink author={owner} links={links} />
                  </span>
                ) : null}
                <EditLink visit={visit} section="photos" record={photo} />
              </p>
              <Facts photo={photo} language={language} />
            </div>
            {photo.description ? (
              <p class="description p-summary" dir="auto">
                {photo.description}
              </p>
            ) : null}
            {photo.tags.length > 0 ? (
              <ul class="chips">
                {photo.tags.map((tag) => (
                  <li>
                    <a class="chip p-category" href={links.tag(tag)} rel="tag" dir="auto">
                      {tag}
                    </a>
                  </li>
                ))}
              </ul>
            ) : null}
            <Places title={t.usedIn} places={posts.map((post) => ({ href: links.post(post), name: post.title }))} />
            <Places title={t.albums} places={albums.map((album) => ({ href: links.album(album), name: album.name }))} />
            <div class="offers">
              <Heart visit={visit} hearts={hearts} path={about.path} />
              <Download photo={photo} links={links} language={language} />
            </div>
          </div>
        </article>
        {discussion && (photo.visibility === "public" || discussion.count > 0) ? (
          <CommentSection visit={visit} about={about} discussion={discussion} />
        ) : null}
      </>
    ),
  };
}

type NeighbourProps = {
  photo: Photo | null;
  rel: "prev" | "next";
  within: string;
  visit: Pick<Visit, "links" | "language">;
};

/** A script loads its page and its picture beforehand. */
export function Neighbour({ photo, rel, within, visit: { links, language } }: NeighbourProps) {
  if (!photo) return <span />;
  const t = photoTexts[language];
  const isNext = rel === "next";
  return (
    <a
      class="icon-button"
      rel={rel}
      href={links.photo(photo) + within}
      aria-label={`${isNext ? t.next : t.previous}: ${nameOf(photo, language)}`}
      data-previous={isNext ? undefined : true}
      data-next={isNext ? true : undefined}
      data-srcset={photo.variants.map(({ url, width }) => `${links.api(url)} ${width}w`).join(", ")}
    >
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
        <path
          d={isNext ? "m9 5 7 7-7 7" : "m15 5-7 7 7 7"}
          fill="none"
          stroke="currentColor"
          stroke-width="1.75"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
    </a>
  );
}

export function Download({ photo, links, language }: { photo: Photo; links: Links; language: Language }) {
  const { file } = photo;
  const url = downloadURL(photo, links);
  if (!file || !url) return null;
  return (
    <p>
      <a class="button quiet" href={url} download={file.name}>
        {photoTexts[language].download} <small>{printBytes(file.size, language)}</small>
      </a>
    </p>
  );
}
