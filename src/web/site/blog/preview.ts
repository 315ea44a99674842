import { z } from "zod";
import { type Mark, previewPostPage } from "../../../content/blog/post-page.ts";
import { longestContent } from "../../../content/blog/post.ts";
import type { Database } from "../../../platform/database/database.ts";
import { busy } from "../../../platform/errors.ts";
import { type Route, route } from "../../../platform/http/route.ts";
import { id, text } from "../../../platform/http/validate.ts";
import { html } from "../../../platform/markup.ts";
import type { Renderer as Markdown } from "../../../platform/markdown/renderer.ts";
import { nameOf } from "../photo-name.ts";
import type { Renderer } from "../render.ts";
import { blogTexts } from "../texts/blog.ts";
import { viewPost } from "./post-page.tsx";

const writtenSchema = z.object({
  id: id().nullable(),
  kind: z.enum(["post", "page"]),
  title: z.string().max(300),
  content: text(longestContent),
  tags: z.array(z.string().max(100)).max(100),
  coverID: id().nullable(),
});

/** The page of a post that is being written, in a frame of the studio: what guests will see, with a mark where something is hidden from them. */
export function previewRoute({ db, markdown }: { db: Database; markdown: Markdown }, renderer: Renderer): Route {
  return route({
    method: "POST",
    path: "/studio/preview",
    name: "page POST /studio/preview",
    noIdempotency: "read",
    tag: "Site",
    summary: "/studio/preview",
    isPage: true,
    role: "author",
    body: writtenSchema,
    response: { contentTypes: ["text/html"], description: "The page" },
    statuses: { 503: "The server is busy with other texts: try again" },
    async handle({ body: { content, ...written }, caller, exchange }) {
      const rendered = await markdown.render(content, caller.id);
      if (rendered === null) throw busy("The server is busy with other texts: try again.");
      const visit = await renderer.openVisit(exchange, null);
      const filling = { nameOf: (photo: Parameters<typeof nameOf>[0]) => nameOf(photo, visit.language) };
      const t = blogTexts[visit.language];
      const mark: Mark = ({ kind }, photos) =>
        html`<span class="unseen">${photos === null ? t.hidden[kind] : t.hiddenPhotos(photos)}</span>`;
      const post = await previewPostPage(db, caller, written, { rendered, filling, mark });
      const headers = { "Cache-Control": "no-store" };
      const view = await viewPost(db, visit, post);
      return renderer.render(visit, { ...view, canonical: null, preview: visit, headers });
    },
  });
}
