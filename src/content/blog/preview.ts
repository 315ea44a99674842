import { z } from "zod";
import { busy } from "../../platform/errors.ts";
import type { Database } from "../../platform/database/database.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { id, text } from "../../platform/http/validate.ts";
import type { Renderer } from "../../platform/markdown/renderer.ts";
import { hiddenSchema } from "../albums/hidden.ts";
import { fillEmbeds } from "./embeds.ts";
import { findHidden } from "./hidden.ts";
import { longestContent } from "./post.ts";

const previewSchema = z
  .object({
    content: text(longestContent).meta({ description: "Markdown.", example: "We arrived *late*." }),
    coverID: id().nullish().meta({ description: "The cover that the post will have.", example: null }),
  })
  .meta({ id: "MarkdownText" });

const renderedSchema = z
  .object({
    html: z.string().meta({ example: "<p>We arrived <em>late</em>.</p>\n" }),
    hidden: hiddenSchema,
  })
  .meta({ id: "RenderedText", description: "HTML without scripts and styles." });

export function previewRoute(db: Database, renderer: Renderer): Route {
  return route({
    method: "POST",
    path: "/api/v1/blog/preview",
    name: "previewPost",
    noIdempotency: "read",
    tag: "Blog",
    summary: "Render Markdown without saving it",
    details:
      "The HTML is the one that a post with this content has, with the embedded records that you may see. `hidden` has those of them, and the photos of embedded albums, that readers of the published post will not see. Your previews are rendered one after the other.",
    role: "author",
    scope: "blog:write",
    body: previewSchema,
    response: renderedSchema,
    statuses: { 503: "The server is busy with other texts: try again" },
    async handle({ body, caller }) {
      const rendered = await renderer.render(body.content, caller.id);
      if (rendered === null) throw busy("The server is busy with other texts: try again.");
      const { hidden } = await findHidden(db, caller, rendered.html, body.coverID);
      return { html: await fillEmbeds(db, caller, rendered.html), hidden };
    },
  });
}
