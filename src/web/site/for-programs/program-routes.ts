import type { Blobs } from "../../../platform/blobs/blobs.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { Route } from "../../../platform/http/route.ts";
import type { Decoder } from "../../../platform/images/decoder.ts";
import type { Renderer } from "../render.ts";
import { cardRoutes } from "./card.ts";
import { feedRoutes } from "./feeds.ts";
import { iconRoutes } from "./icons.ts";
import { embedRoutes } from "./oembed.ts";
import { siteFileRoutes } from "./site-files.ts";
import { sitemapRoutes } from "./sitemap.ts";

type Deps = { db: Database; blobs: Blobs; decoder: Decoder; securityContact: string | null };

/** What programs read of the site: feed readers, search engines, social networks, browsers. */
export function programRoutes({ db, blobs, decoder, securityContact }: Deps, renderer: Renderer): Route[] {
  return [
    ...feedRoutes(db, renderer),
    ...sitemapRoutes(db, renderer),
    ...siteFileRoutes(renderer, securityContact),
    ...iconRoutes({ db, blobs, decoder }, renderer),
    ...cardRoutes(db, decoder, renderer),
    ...embedRoutes(db, renderer),
  ];
}
