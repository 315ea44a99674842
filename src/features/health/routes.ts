import { busy } from "../../platform/errors.ts";
import type { Database } from "../../platform/database/database.ts";
import type { DiskState } from "../../platform/disk.ts";
import { sql } from "../../platform/database/sql.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { messageSchema } from "../../platform/http/message.ts";

const tag = "Server";

export function healthRoutes(db: Database, disk: DiskState, isDraining: () => boolean): Route[] {
  return [
    route({
      method: "GET",
      path: "/livez",
      name: "readLiveness",
      tag,
      summary: "Check that the process is alive",
      limit: "none",
      response: messageSchema,
      handle: () => ({ message: "alive" }),
    }),
    route({
      method: "GET",
      path: "/readyz",
      name: "readReadiness",
      tag,
      summary: "Check that the server can handle requests",
      limit: "none",
      response: messageSchema,
      statuses: {
        503: "The database does not respond, nothing can be stored because the disk is full or the data directory is read-only or missing, or the server is shutting down",
      },
      async handle() {
        if (isDraining()) throw busy("The server is shutting down.");
        const reason = disk.reason();
        if (reason) throw busy(reason);
        if (await db.get(sql`SELECT 1 AS one`).catch(() => null)) return { message: "ready" };
        throw busy("The database does not respond.");
      },
    }),
  ];
}
