import type { Visit } from "../page.ts";
import type { Feed } from "./atom.ts";
import type { Entry } from "./entries.ts";

/** A feed as JSON Feed 1.1. Fields that are undefined are left out. */
export function jsonFeed({ origin, settings }: Visit, { path, page, title, subtitle, hub, entries }: Feed): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: origin + page,
    feed_url: origin + path,
    description: subtitle || undefined,
    icon: `${origin}/icon-512.png`,
    favicon: `${origin}/favicon.ico`,
    language: settings.language,
    authors: [{ name: settings.siteName, url: `${origin}/` }],
    hubs: hub === null ? undefined : [{ type: "WebSub", url: hub }],
    items: entries.map(itemOf),
  });
}

function itemOf({ id, url, title, summary, html, published, updated, author, tags, picture, video }: Entry) {
  const attachments = [
    ...(picture ? [{ url: picture.url, mime_type: "image/jpeg", title: picture.alt || undefined }] : []),
    ...(video
      ? [
          {
            url: video.url,
            mime_type: video.type,
            size_in_bytes: video.size,
            duration_in_seconds: video.seconds ?? undefined,
          },
        ]
      : []),
  ];
  return {
    id,
    url,
    title,
    content_html: html,
    summary: summary || undefined,
    image: picture?.url,
    date_published: published,
    date_modified: updated,
    authors: author ? [{ ...author, avatar: author.avatar ?? undefined }] : undefined,
    tags,
    attachments: attachments.length > 0 ? attachments : undefined,
  };
}
