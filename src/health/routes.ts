import { busy } from "../errors.ts";
import type { Database } from "../platform/database/database.ts";
import { sql } from "../platform/database/sql.ts";
import { type Route, route } from "../platform/http/route.ts";
import { messageSchema } from "../platform/http/message.ts";

const tag = "Server";

export function healthRoutes(db: Database, isDraining: () => boolean): Route[] {
  return [
    route({
      method: "GET",
      path: "/livez",
      name: "readLiveness",
      tag,
      summary: "Check that the process is alive",
      limit: "none",
      answer: messageSchema,
      handle: () => ({ message: "alive" }),
    }),
    route({
      method: "GET",
      path: "/readyz",
      name: "readReadiness",
      tag,
      summary: "Check that the server can handle requests",
      limit: "none",
      answer: messageSchema,
      statuses: { 503: "The database does not respond, or the server is shutting down" },
      async handle() {
        const isDatabaseReady = !isDraining() && (await db.get(sql`SELECT 1 AS one`).catch(() => null));
        if (isDatabaseReady) return { message: "ready" };
        throw busy(isDraining() ? "The server is shutting down." : "The database does not respond.");
      },
    }),
  ];
}
