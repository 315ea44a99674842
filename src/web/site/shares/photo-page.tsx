/** @jsxImportSource hono/jsx */
import { findPhotoInAlbum } from "../../../content/albums/albums-of-photo.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import { getPhoto } from "../../../content/photos/store.ts";
import type { Reader } from "../../../platform/database/database.ts";
import type { View } from "../page.ts";
import { Facts } from "../photos/facts.tsx";
import { nameOf } from "../photo-name.ts";
import { Download, Neighbour } from "../photos/photo-page.tsx";
import { Stage } from "../photos/stage.tsx";
import { photoTexts } from "../texts/photos.ts";
import { checkReached, type LinkVisit } from "./opened.ts";

/** A photo that a link leads to, or that is in its album: `albumID` is where the visitor comes from. */
export async function photoView(db: Reader, opened: LinkVisit, id: number, albumID?: number): Promise<View> {
  const { visit, viewer, link } = opened;
  const { links, language } = visit;
  await checkReached(db, opened, "photo", id);
  const photo = asShared(await getPhoto(db, viewer, id));
  const isInAlbum = albumID !== undefined && link.share.kind === "album";
  if (isInAlbum) await checkReached(db, opened, "album", albumID);
  const found = isInAlbum ? await findPhotoInAlbum(db, viewer, albumID, id) : null;
  const { previous = null, next = null } = found ?? {};
  const within = found ? `?album=${found.album.id}` : "";
  return {
    title: nameOf(photo, language),
    canonical: null,
    body: (
      <article class="photo-page">
        <div class="viewer">
          <Stage photo={photo} links={links} language={language} />
          {found ? (
            <nav class="photo-nav wide" aria-label={photoTexts[language].title}>
              <Neighbour photo={previous} rel="prev" within={within} visit={visit} />
              <a href={links.album(found.album)} dir="auto">
                {found.album.name}
              </a>
              <Neighbour photo={next} rel="next" within={within} visit={visit} />
            </nav>
          ) : null}
        </div>
        <div class="photo-text column">
          <div>
            <h1 dir="auto">{nameOf(photo, language)}</h1>
            <Facts photo={photo} language={language} />
          </div>
          {photo.description ? (
            <p class="description" dir="auto">
              {photo.description}
            </p>
          ) : null}
          <Download photo={photo} links={links} language={language} />
        </div>
      </article>
    ),
  };
}

/** Who else may see it means nothing to those who have a link. */
export const asShared = (photo: Photo): Photo => ({ ...photo, visibility: "public" });
