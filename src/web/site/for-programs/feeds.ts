import { getAlbum } from "../../../content/albums/store.ts";
import type { Reader } from "../../../platform/database/database.ts";
import type { Route } from "../../../platform/http/route.ts";
import { albumPart } from "../links.ts";
import { readAlbumID, redirect, type Visit } from "../page.ts";
import type { Renderer } from "../render.ts";
import { webTexts } from "../texts/web.ts";
import { atomFeed, type Feed } from "./atom.ts";
import { type Entry, loadAll, loadPhotos, loadPosts } from "./entries.ts";
import { jsonFeed } from "./json-feed.ts";
import { webRoute, webText } from "./web-route.ts";

const atom = "application/atom+xml";

/** The feeds of the site. They have the newest entries, in full unless they are long. */
export function feedRoutes(db: Reader, renderer: Renderer): Route[] {
  const feed = (path: `/${string}`, page: string, load: (db: Reader, visit: Visit) => Promise<Entry[]>) =>
    webRoute(renderer, {
      path,
      contentType: atom,
      async handle(visit) {
        return webText(atom, atomFeed(visit, { ...describe(visit, page), path, page, entries: await load(db, visit) }));
      },
    });
  return [
    feed("/feed.xml", "/", loadAll),
    feed("/blog/feed.xml", "/blog", loadPosts),
    feed("/photos/feed.xml", "/photos", (reader, visit) => loadPhotos(reader, visit)),

    webRoute(renderer, {
      path: "/feed.json",
      contentType: "application/feed+json",
      async handle(visit) {
        const [path, page] = ["/feed.json", "/"];
        const described = { ...describe(visit, page), path, page, entries: await loadAll(db, visit) };
        return webText("application/feed+json", jsonFeed(visit, described));
      },
    }),

    webRoute(renderer, {
      path: "/albums/:album/feed.xml",
      contentType: atom,
      async handle(visit) {
        const { params, links, settings } = visit;
        const album = await getAlbum(db, null, readAlbumID(params.album));
        const page = links.album(album);
        const path = `${page}/feed.xml`;
        if (params.album !== decodeURIComponent(albumPart(album))) return redirect(path, 308);
        const entries = await loadPhotos(db, visit, { albumID: album.id });
        const title = `${album.name} · ${settings.siteName}`;
        return webText(atom, atomFeed(visit, { path, page, title, subtitle: album.description, hub: null, entries }));
      },
    }),
  ];
}

function describe({ settings, language }: Visit, page: string): Pick<Feed, "title" | "subtitle" | "hub"> {
  const t = webTexts[language];
  const part = page === "/blog" ? t.postFeed : page === "/photos" ? t.photoFeed : null;
  const title = part === null ? settings.siteName : `${part} · ${settings.siteName}`;
  return { title, subtitle: settings.tagline, hub: settings.webSubHub };
}
