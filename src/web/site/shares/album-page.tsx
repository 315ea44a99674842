/** @jsxImportSource hono/jsx */
import { listParents } from "../../../content/albums/nesting.ts";
import type { CountedAlbum } from "../../../content/albums/shown.ts";
import { getAlbum } from "../../../content/albums/store.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { AlbumCards } from "../albums/album-cards.tsx";
import { contentLine } from "../albums/content-line.ts";
import { listNested, readPhotosOnPage } from "../albums/read-album.ts";
import { Breadcrumb } from "../breadcrumb.tsx";
import type { View } from "../page.ts";
import { Pager } from "../pager.tsx";
import { PhotoRows } from "../photos/photo-rows.tsx";
import { commonTexts } from "../texts/common.ts";
import { shareTexts } from "../texts/shares.ts";
import { checkReached, filterReached, type LinkVisit } from "./opened.ts";
import { asShared } from "./photo-page.tsx";
import { acceptsUploads } from "./upload-page.tsx";

/** The album of a link, or one in it. */
export async function albumView(db: Reader, opened: LinkVisit, id: number, cursor: string | undefined): Promise<View> {
  const { visit, viewer, link } = opened;
  const { links, language } = visit;
  const t = shareTexts[language];
  await checkReached(db, opened, "album", id);
  const album = await getAlbum(db, viewer, id);
  const isTop = id === link.share.recordID;
  const [parents, nested, { photos, next, previous }] = await Promise.all([
    isTop ? [] : listParents(db, viewer, album),
    cursor ? [] : listReached(db, opened, id),
    readPhotosOnPage(db, viewer, id, cursor),
  ]);
  const address = isTop ? links.prefix : links.album(album);
  const linkTo = (query: string) => address + query;
  return {
    title: album.name,
    canonical: null,
    body: (
      <div class="wide">
        <header class="page-head">
          <Breadcrumb label={t.path} steps={stepsTo(opened, parents)} />
          <h1 dir="auto">{album.name}</h1>
          <p class="quiet">{contentLine({ ...album, albumCount: nested.length }, language)}</p>
          {album.description ? (
            <p class="description" dir="auto">
              {album.description}
            </p>
          ) : null}
          <p class="actions">
            {link.share.allowDownload && album.photoCount > 0 ? (
              <a class="button quiet" href={links.api(`/api/v1/albums/${id}/zip`)} download rel="nofollow">
                {t.downloadAll}
              </a>
            ) : null}
            {acceptsUploads(link) ? (
              <a class="button quiet" href={`${links.prefix}/upload`}>
                {t.add}
              </a>
            ) : null}
          </p>
        </header>
        {nested.length > 0 ? <AlbumCards albums={nested} visit={visit} isFirst /> : null}
        {photos.length > 0 ? (
          <PhotoRows photos={photos.map(asShared)} visit={visit} albumID={id} isFirst={nested.length === 0} />
        ) : null}
        {photos.length + nested.length === 0 ? <p class="empty">{t.empty}</p> : null}
        <Pager
          label={t.pages}
          previous={previous === null ? null : [linkTo(previous), commonTexts[language].previous]}
          next={next === null ? null : [linkTo(next), commonTexts[language].next]}
        />
      </div>
    ),
  };
}

/** The albums in an album that the link reaches: public ones of others may be there as well. */
async function listReached(db: Reader, opened: LinkVisit, id: number): Promise<CountedAlbum[]> {
  const albums = await listNested(db, opened.viewer, id);
  const reached = await filterReached(
    db,
    opened,
    "album",
    albums.map((album) => album.id),
  );
  return albums.filter((album) => reached.has(album.id)).map((album) => ({ ...album, visibility: "public" }));
}

/** From the album of the link downwards: what is above it is not shown. */
function stepsTo({ visit: { links }, link }: LinkVisit, parents: { id: number; name: string }[]) {
  const top = parents.findIndex(({ id }) => id === link.share.recordID);
  return (top === -1 ? [] : parents.slice(top)).map((parent, index) => ({
    href: index === 0 ? links.prefix : links.album(parent),
    name: parent.name,
  }));
}
