import { z } from "zod";
import { takesMentions } from "../../core/settings/store.ts";
import type { Database } from "../../platform/database/database.ts";
import { forbidden, invalid, Problem } from "../../platform/errors.ts";
import { limitKey } from "../../platform/http/address.ts";
import { originOf } from "../../platform/http/exchange.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { text } from "../../platform/http/validate.ts";
import { createRateLimit } from "../../platform/limits/rate-limit.ts";
import { parseWebAddress } from "../../platform/outgoing/web-address.ts";
import { findTarget } from "./target.ts";
import { queueReceived } from "./tasks.ts";

/** Of one address: more than a site sends that mentions this one in many posts. */
const mentionsPerAddress = { perSecond: 0.1, burst: 60 };

const mentionSchema = z
  .object({
    source: text(2000).meta({ description: "The page that links here.", example: "https://elsewhere.example/note" }),
    target: text(2000).meta({
      description: "The page of a public post, photo or album of this site that it links to.",
      example: "https://photos.example.org/blog/a-week-in-lisbon",
    }),
  })
  .meta({ id: "NewMention" });

export function mentionRoutes(db: Database, wakeWorker: () => void): Route[] {
  const limit = createRateLimit(mentionsPerAddress);
  return [
    route({
      method: "POST",
      path: "/webmention",
      name: "sendMention",
      tag: "Open web",
      summary: "Tell the site of a page that links to it (Webmention)",
      details:
        "The body is a form, as the W3C recommendation asks for, or JSON. The server reads the page later. If it links to the target, it becomes a comment that waits for approval; if it no longer does, or is gone, the comment is deleted. Sending it again updates the comment.",
      body: mentionSchema,
      acceptsForm: true,
      status: 202,
      response: messageSchema,
      statuses: { 403: "This site takes no mentions" },
      async handle({ body, exchange, transaction }) {
        if (!(await takesMentions(db))) throw forbidden("Mentions by other sites are switched off on this site.");
        const verdict = limit.take(limitKey(exchange.address));
        if (!verdict.allowed) throw tooMany(verdict.retryAfterMs);
        const { host } = new URL(originOf(exchange));
        const source = parseWebAddress(body.source);
        if (!source || source.host === host)
          throw invalid('"source" must be the http or https address of a page on another site.', "source");
        const target = parseWebAddress(body.target);
        // What guests may not see is as if it was not there.
        if (!target || target.host !== host || !(await findTarget(db, target)))
          throw invalid('"target" must be a page of this site that takes comments.', "target");
        await transaction((tx) => queueReceived(tx, source, target));
        wakeWorker();
        return { message: "The page will be read. What it says is shown when it was approved." };
      },
    }),
  ];
}

function tooMany(retryAfterMs: number): Problem {
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new Problem("limited", `Too many mentions; try again in ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  });
}
