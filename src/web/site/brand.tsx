/** @jsxImportSource hono/jsx */
import type { Photo } from "../../content/photos/photo.ts";
import { findPhotos } from "../../content/photos/store.ts";
import type { Reader } from "../../platform/database/database.ts";
import type { Visit } from "./page.ts";

/** A photo that represents the site, as guests see it, for every visitor; null if it is private or deleted. */
export async function findSitePhoto(db: Reader, id: number | null): Promise<Photo | null> {
  const photo = id === null ? undefined : (await findPhotos(db, null, [id])).get(id);
  return photo && photo.variants.length > 0 ? photo : null;
}

/** From this ratio on, a logo contains the name, or replaces it. */
const wide = 2;
/** In pixels, on screens with twice as many. */
const logoHeight = 40;
const widestLogo = 200;

/** The name of the site in the header: as text, as a logo, or both. */
export function SiteName({ visit: { settings, logo, path }, href }: { visit: Visit; href: string }) {
  const current = path === href ? "page" : undefined;
  if (!logo)
    return (
      <a class="site-name" href={href} aria-current={current} dir="auto">
        {settings.siteName}
      </a>
    );
  const { width, height } = logo.variants.at(-1) ?? logo;
  const isWide = width >= wide * height;
  const shown = Math.min(logoHeight, (widestLogo * height) / width);
  const variant = logo.variants.find((some) => some.height >= 2 * shown) ?? logo.variants.at(-1);
  return (
    <a class="site-name has-logo" href={href} aria-current={current} dir="auto">
      <img
        src={variant?.url}
        width={Math.round((shown * width) / height)}
        height={Math.round(shown)}
        alt={isWide ? settings.siteName : ""}
        decoding="async"
      />
      {isWide ? null : <span>{settings.siteName}</span>}
    </a>
  );
}
