/** @jsxImportSource hono/jsx */
import { byAlbumOrder } from "../../../content/albums/move-album.ts";
import { countAlbumsIn, isShownTo } from "../../../content/albums/shown.ts";
import { listAlbumsByKey } from "../../../content/albums/store.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { cursorQuery, listRequest, nextPage, type PageList, readAll } from "../cursor.ts";
import { type Page, page } from "../page.ts";
import { Pager } from "../pager.tsx";
import { albumTexts } from "../texts/albums.ts";
import { commonTexts } from "../texts/common.ts";
import { listHead } from "../for-programs/head.tsx";
import { AlbumCards } from "./album-cards.tsx";

const list: PageList = { name: "albums", sort: byAlbumOrder, order: "asc", size: 24 };

/** The albums that are in no other album, in their order. */
export const albumsPage = (db: Reader): Page =>
  page({
    path: "/albums",
    query: cursorQuery,
    async handle({ query: { cursor }, ...visit }) {
      const { viewer, language, links } = visit;
      const t = albumTexts[language];
      const request = { ...listRequest(list, cursor), only: isShownTo(viewer) };
      const found = await listAlbumsByKey(db, viewer, { parentID: "none" }, request);
      const albums = await countAlbumsIn(db, viewer, await readAll(found.items));
      const next = nextPage(list, found.next);
      return {
        title: t.title,
        section: "albums",
        canonical: cursor || links.prefix ? null : "/albums",
        head: (
          <>
            {listHead(visit, { path: "/albums", title: t.title })}
            {next ? <link rel="next" href={`/albums${next}`} /> : null}
          </>
        ),
        body: (
          <div class="wide">
            <header class="page-head">
              <h1>{t.title}</h1>
            </header>
            {albums.length === 0 ? (
              <div class="empty">
                <p>{t.empty}</p>
              </div>
            ) : (
              <AlbumCards albums={albums} visit={visit} isFirst />
            )}
            <Pager label={t.title} next={next && [`/albums${next}`, commonTexts[language].next]} />
          </div>
        ),
      };
    },
  });
