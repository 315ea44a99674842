import { invalid } from "../../platform/errors.ts";

/** What the site has, or may have, directly below its root: no page can stand there. */
export const reservedSlugs: ReadonlySet<string> = new Set(
  (
    "account admin albums api apple-touch-icon archive assets auth blog browse custom dav docs favicon feed feeds files " +
    "health help home icon index livez llms login logout manifest map mcp media metrics newsletter oembed openapi people " +
    "photos posts " +
    "readyz robots s search security session settings setup share shares signin signout signup site sitemap static status " +
    "studio tag tags users webhooks webmention"
  ).split(" "),
);

export const isReservedSlug = (slug: string): boolean => reservedSlugs.has(slug);

export function refuseReserved(slug: string): void {
  if (isReservedSlug(slug))
    throw invalid(`"slug" is invalid: /${slug} belongs to the site itself. Choose another one.`, "slug");
}
