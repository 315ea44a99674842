import { z } from "zod";
import { forbidden, invalid, unauthorized } from "../../platform/errors.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import { isPublic } from "../records/visibility.ts";

/** The filters of lists whose records have an owner. */
export const ownerQuery = z.object({
  owner: z
    .string()
    .regex(/^(me|[1-9]\d{0,15})$/, { error: "must be `me` or the id of a user" })
    .optional()
    .meta({
      description:
        "Only records of the user with this id, or your own with `me`, private ones included. The list is then read by cursor.",
      example: "1",
    }),
  visibility: z.enum(["all"]).optional().meta({
    description: "For admins: includes private records. The list is then read by cursor.",
  }),
});

/** The statuses of routes that have these filters. */
export const ownerStatuses = {
  401: "`owner=me` and private records of others need a token",
  403: "Private records of others are for admins",
};

/** `visibility` is what asks for private records of others. */
export type OwnerQuery = { owner?: string | undefined; visibility?: "all" | "private" | undefined };

/** The conditions of the filters, and of what the list shows to everyone if nothing else is asked for. */
export function isWanted(viewer: Viewer, { owner, visibility }: OwnerQuery): Sql[] {
  if (visibility && !viewer) throw unauthorized(`"visibility=${visibility}" is for admins: sign in first.`);
  if (visibility && viewer?.role !== "admin") throw forbidden(`"visibility=${visibility}" is for admins.`);
  if (owner === "me") {
    if (!viewer) throw unauthorized(`"owner=me" needs a token: sign in first.`);
    return [sql`owner_id = ${viewer.id}`];
  }
  const id = owner === undefined ? null : Number(owner);
  if (id !== null && !Number.isSafeInteger(id)) throw invalid(`"owner" is too large.`, "owner");
  return [...(visibility ? [] : [isPublic]), ...(id === null ? [] : [sql`owner_id = ${id}`])];
}
