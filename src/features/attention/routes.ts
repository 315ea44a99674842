import { z } from "zod";
import type { Notice, NoticeSource } from "../../core/records/notice.ts";
import { type Route, route } from "../../platform/http/route.ts";

export function attentionRoutes(source: NoticeSource, notices: Record<string, Notice>): Route[] {
  const fields = Object.entries(notices);
  const attentionSchema = z
    .object(Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])))
    .meta({ id: "Attention", description: "What may need your attention." });
  return [
    route({
      method: "GET",
      path: "/api/v1/attention",
      name: "readAttention",
      tag: "Attention",
      summary: "Read what may need your attention",
      details: "For admins, on the whole site; for others, only what is theirs.",
      role: "reader",
      response: attentionSchema,
      handle: async ({ caller }) =>
        Object.fromEntries(
          await Promise.all(fields.map(async ([name, { read }]) => [name, await read(source, caller)])),
        ),
    }),
  ];
}
