import { z } from "zod";
import type { Database, Queries } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";
import { missing, Problem } from "../../platform/errors.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Caller, type Route, route } from "../../platform/http/route.ts";
import { id } from "../../platform/http/validate.ts";
import { type Comparison, countPending } from "./compare.ts";
import { duplicatesSchema, listDuplicates, maxPending } from "./duplicates.ts";
import { lockPhotos } from "./lists/entries.ts";
import { inTime } from "../../platform/in-time.ts";

const tag = "Photos";
const maxPhotos = 100;

const decisionSchema = z
  .object({
    photoIDs: z
      .array(id())
      .min(2)
      .max(maxPhotos)
      .refine((ids) => new Set(ids).size === ids.length, { error: "must list each photo only once" })
      .meta({ description: "Photos of yours.", example: [3, 8] }),
    areDuplicates: z.boolean().meta({
      description: "`false`: they are not suggested as copies of each other again. `true` takes that back.",
      example: false,
    }),
  })
  .meta({ id: "DuplicateDecision" });

/** While the database is locked, nothing can be compared. */
const waitMilliseconds = 2000;

export const duplicateRoutes = (db: Database, { compare }: Comparison): Route[] => [
  route({
    method: "GET",
    path: "/api/v1/photos/duplicates",
    name: "listDuplicatePhotos",
    tag,
    summary: "List your photos that look like copies of one picture",
    details:
      "Copies in other sizes and formats, and slightly cropped ones; not turned ones. Nothing is done with them: keep what you like, and move others to the trash. Photos that were added since the last request are compared first; if there are many, the rest is compared in the background.",
    role: "author",
    response: duplicatesSchema,
    async handle({ caller }) {
      if ((await countPending(db, caller.id, 1)) > 0)
        await inTime(waitMilliseconds, compare(caller.id, maxPending).catch(ignoreUnavailable));
      const [found, pending] = await Promise.all([listDuplicates(db, caller), countPending(db, caller.id, maxPending)]);
      return { ...found, pending };
    },
  }),

  route({
    method: "POST",
    path: "/api/v1/photos/duplicates",
    name: "decideDuplicatePhotos",
    tag,
    summary: "Say whether photos are copies of one picture",
    role: "author",
    scope: "photos:write",
    body: decisionSchema,
    response: messageSchema,
    statuses: { 404: "One of the photos is not yours, or does not exist" },
    handle: ({ body, caller, transaction }) =>
      transaction(async (tx) => {
        await storeDecision(tx, caller, body);
        return { message: body.areDuplicates ? "They are suggested again." : "They are no longer suggested." };
      }),
  }),
];

async function storeDecision(
  tx: Queries,
  caller: Caller,
  { photoIDs, areDuplicates }: z.output<typeof decisionSchema>,
): Promise<void> {
  await lockPhotos(tx, photoIDs);
  const ids = list(photoIDs);
  const rows = await tx.all<{ id: number }>(sql`
    SELECT id FROM photos WHERE id IN (${ids}) AND owner_id + 0 = ${caller.id} AND trash_id IS NULL`);
  const own = new Set(rows.map((row) => row.id));
  const unknown = photoIDs.find((photoID) => !own.has(photoID));
  if (unknown !== undefined) throw missing(`photo ${unknown}`);
  await tx.run(sql`
    UPDATE photo_pairs SET dismissed_at = ${areDuplicates ? null : Date.now()}
    WHERE one_id IN (${ids}) AND other_id IN (${ids})`);
}

/** What is known already is listed nevertheless. */
function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
}
