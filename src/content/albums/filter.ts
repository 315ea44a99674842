import { z } from "zod";
import type { Reader } from "../../platform/database/database.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import { invalid, Problem } from "../../platform/errors.ts";
import { line } from "../../platform/http/validate.ts";
import { cameraKey } from "../photos/lists/facts.ts";
import { isPlacedIn, queryBox, toBox } from "../photos/lists/box.ts";
import { isIn, queryTime } from "../photos/lists/filters.ts";
import { listNames } from "../photos/lists/entries.ts";

/** More would be hard to understand, and each of them is looked up for each photo that changes. */
const maxTags = 10;

const time = queryTime.max(40);

/** What the photos of a smart album have in common. Unknown conditions are refused: without one, an album would show more. */
export const albumFilterSchema = z
  .strictObject({
    tags: z
      .array(line(50))
      .max(maxTags)
      .optional()
      .meta({ description: "Photos that have all of these tags.", example: ["travel"] }),
    from: time
      .optional()
      .meta({ description: "Taken at this time or later: a date, or a time with its zone.", example: "2026-06-01" }),
    to: time.optional().meta({ description: "Taken before this time.", example: "2026-07-01" }),
    camera: line(200).optional().meta({ description: "Taken with this camera (`exif.model`).", example: "X-T5" }),
    kind: z.enum(["image", "video"]).optional().meta({ description: "Only images, or only videos." }),
    bbox: queryBox.optional().meta({
      description:
        "Taken in this area: west, south, east and north in degrees. Places that only you see count as well.",
      example: "-10,38,-8,42",
    }),
    favourite: z.boolean().optional().meta({ description: "Only favourites of the owner, or only other photos." }),
  })
  .refine(({ tags = [], ...others }) => tags.length > 0 || Object.values(others).some((one) => one !== undefined), {
    error: "must have at least one condition",
  })
  .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) < Date.parse(to), {
    error: '"from" must be before "to"',
    path: ["from"],
  })
  .meta({ id: "AlbumFilter", example: { tags: ["travel"], from: "2026-06-01" } });

export type AlbumFilter = z.output<typeof albumFilterSchema>;

/** A filter in a query string, as JSON, for `parseFilter`. */
export const queryFilter = z
  .string()
  .max(5000)
  .superRefine((text, context) => {
    const result = albumFilterSchema.safeParse(readJSON(text));
    for (const { message } of result.error?.issues ?? [])
      context.addIssue({ code: "custom", message: `must be the filter of an album as JSON: ${message}`, input: text });
  });

export const parseFilter = (text: string): AlbumFilter => albumFilterSchema.parse(readJSON(text));

function readJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type SmartAlbum = { owner_id: number; filter: string };

/** The condition of rows of `photos` that are in a smart album: live photos of its owner. */
export function isMember({ owner_id, filter }: SmartAlbum): Sql {
  const { tags = [], from, to, camera, kind, bbox, favourite } = JSON.parse(filter) as AlbumFilter;
  return [
    sql`photos.owner_id = ${owner_id} AND photos.trash_id IS NULL AND photos.kind IS NOT NULL`,
    ...tags.map((tag) => isIn(listNames.tag(tag))),
    ...(from === undefined ? [] : [sql`photos.taken_at >= ${Date.parse(from)}`]),
    ...(to === undefined ? [] : [sql`photos.taken_at < ${Date.parse(to)}`]),
    ...(camera === undefined ? [] : [sql`photos.camera_key = ${cameraKey(camera)}`]),
    ...(kind === undefined ? [] : [sql`photos.kind = ${kind}`]),
    ...(bbox === undefined ? [] : [isPlacedIn(toBox(bbox), { ownerID: owner_id })]),
    ...(favourite === undefined ? [] : [sql`photos.is_favourite = ${favourite ? 1 : 0}`]),
  ].reduce((all, one) => sql`${all} AND ${one}`);
}

/** Throws if the photos of an album follow from a filter. */
export function checkOrdinary({ name, isSmart }: { name: string; isSmart: number }): void {
  if (isSmart === 0) return;
  throw new Problem(
    "readOnly",
    `"${name}" is a smart album: its photos follow from its filter. Change the filter, or the photos themselves.`,
  );
}

/** An ordinary album would lose the photos that somebody has put into it. */
export function checkFilterChange({ isSmart }: { isSmart: number }, filter: AlbumFilter | null): void {
  if (isSmart === 0 && filter)
    throw invalid(`"filter" can be changed only for smart albums: create one instead.`, "filter");
  if (isSmart === 1 && !filter) throw invalid(`"filter" of a smart album must have a condition.`, "filter");
}

/** Each photo that changes is compared with all smart albums of its owner. */
const maxSmartAlbums = 100;

export async function checkSmartAlbumCount(db: Reader, ownerID: number): Promise<void> {
  const row = await db.get<{ albums: number }>(sql`
    SELECT count(*) AS albums FROM albums WHERE owner_id = ${ownerID} AND filter IS NOT NULL`);
  if ((row?.albums ?? 0) < maxSmartAlbums) return;
  throw invalid(`You have ${maxSmartAlbums} smart albums, including those in the trash. Delete one first.`, "filter");
}
