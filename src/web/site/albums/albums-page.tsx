/** @jsxImportSource hono/jsx */
import { listAlbumsByKey } from "../../../content/albums/store.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { byID } from "../../../platform/database/keyset.ts";
import { cursorQuery, listRequest, nextPage, type PageList, readAll } from "../cursor.ts";
import { type Page, page } from "../page.ts";
import { Pager } from "../pager.tsx";
import { albumTexts } from "../texts/albums.ts";
import { commonTexts } from "../texts/common.ts";
import { listHead } from "../for-programs/head.tsx";
import { AlbumCards } from "./album-cards.tsx";

const list: PageList = { name: "albums", sort: byID, order: "desc", size: 24 };

/** The albums that are in no other album. */
export const albumsPage = (db: Reader): Page =>
  page({
    path: "/albums",
    query: cursorQuery,
    async handle({ query: { cursor }, ...visit }) {
      const { viewer, language, links } = visit;
      const t = albumTexts[language];
      const found = await listAlbumsByKey(db, viewer, { parentID: "none" }, listRequest(list, cursor));
      const albums = await readAll(found.items);
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
            <Pager label={t.title} next={next && [`/albums${next}`, commonTexts[language].older]} />
          </div>
        ),
      };
    },
  });
