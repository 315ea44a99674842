import { z } from "zod";
import type { Database } from "../../platform/database/database.ts";
import { onlyByCursor } from "../../platform/http/cursor.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { activityQuery, activitySchema } from "./activity.ts";
import { readPosition } from "./event-format.ts";
import { byTime, listActivity } from "./store.ts";
import type { Streams } from "./streams.ts";
import type { Kinds } from "./visible.ts";

const tag = "Activity";

export function activityRoutes(db: Database, kinds: Kinds, streams: Streams): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/activity",
      name: "listActivity",
      tag,
      summary: "List who changed what, newest first",
      details:
        "Admins see every change. Other users see what they did, and what was done to their records. Copying or moving a directory, and an import, is one change.",
      role: "reader",
      query: activityQuery,
      cursor: onlyByCursor(byTime, "desc"),
      response: z.array(activitySchema),
      handle: ({ caller, query, cursor }) => listActivity(db, kinds, { caller, query }, cursor),
    }),

    route({
      method: "GET",
      path: "/api/v1/events",
      name: "readEvents",
      tag,
      summary: "Follow changes as they happen (server-sent events)",
      details:
        "Needs no token: guests get the changes of public records. With a token, you also get those of your private records, and admins get all. The data of an event is a JSON object with `action`, `kind`, `recordID` and `createdAt`. An event `ready` means that all later changes will be sent. A client that connects again sends the last `id` that it has received, and gets what it has missed. If that is no longer known, it gets an event `reload` and should load again what it shows.",
      personal: true,
      headers: {
        "Last-Event-ID": { description: "The `id` of the last event that you have received.", example: "0-1" },
      },
      query: z.object({
        lastEventID: z.string().optional().meta({
          description: "The same, for clients that cannot set the header. The header takes precedence.",
          example: "0-1",
        }),
      }),
      response: {
        contentTypes: ["text/event-stream"],
        description: "Events, until the client or the server disconnects",
      },
      statuses: { 503: "The server has too many streams open: try again later" },
      async handle({ viewer, query, exchange }) {
        const { request, address } = exchange;
        const after = readPosition(request.headers.get("last-event-id") ?? query.lastEventID);
        return {
          headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no" },
          body: await streams.open(viewer, address, after),
        };
      },
    }),
  ];
}
