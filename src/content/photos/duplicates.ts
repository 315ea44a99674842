import { z } from "zod";
import type { Reader } from "../../platform/database/database.ts";
import { list, sql, type Sql } from "../../platform/database/sql.ts";
import type { Notice } from "../../core/records/notice.ts";
import type { Caller } from "../../platform/http/route.ts";
import { type Photo, photoSchema } from "./photo.ts";
import { findPhotos } from "./store.ts";
import { isFileName } from "./untitled.ts";

const maxPairs = 5000;
const maxGroups = 20;
const maxCopies = 12;
export const maxPending = 1000;

const copySchema = z.object({
  photo: photoSchema,
  albumCount: z.int().meta({ description: "In how many of your albums it is.", example: 1 }),
  isBest: z.boolean().meta({
    description:
      "Whether it is the one to keep: the largest, or else the one with most texts and albums, or else the oldest.",
    example: true,
  }),
});

export const duplicatesSchema = z
  .object({
    groups: z.array(z.object({ copies: z.array(copySchema) })).meta({
      description: `The newest group first, at most ${maxGroups}, each with the best copy first, at most ${maxCopies} copies.`,
      example: [],
    }),
    total: z.int().meta({ description: "The number of all groups.", example: 3 }),
    pending: z.int().meta({
      description: `How many photos are still to be compared; at most ${maxPending} are counted.`,
      example: 0,
    }),
  })
  .meta({ id: "DuplicatePhotos", description: "Photos of yours that look like copies of one picture." });

type Group = z.output<typeof duplicatesSchema>["groups"][number];

export async function listDuplicates(db: Reader, caller: Caller): Promise<{ groups: Group[]; total: number }> {
  const found = await readGroups(db, caller.id);
  const shown = found.slice(0, maxGroups).map((group) => group.slice(0, maxCopies));
  const ids = shown.flat();
  const [photos, albums] = await Promise.all([findPhotos(db, caller, ids), countAlbums(db, caller, ids)]);
  const groups = shown.map((group) => {
    const copies = group.flatMap((id) => {
      const photo = photos.get(id);
      return photo ? [{ photo, albumCount: albums.get(id) ?? 0 }] : [];
    });
    const sorted = copies.toSorted(compareCopies);
    return { copies: sorted.map((copy, index) => ({ ...copy, isBest: index === 0 })) };
  });
  return { groups: groups.filter(({ copies }) => copies.length > 1), total: found.length };
}

/** How many groups there are. */
export const duplicateGroups: Notice = {
  schema: z.int().meta({ description: "Groups of your photos that look like copies of one picture.", example: 0 }),
  read: async ({ db }, caller) => (await readGroups(db, caller.id)).length,
};

/** Photos that are connected by pairs are one group. The newest group comes first. */
async function readGroups(db: Reader, ownerID: number): Promise<number[][]> {
  const pairs = await db.all<{ one_id: number; other_id: number }>(sql`
    SELECT one_id, other_id FROM photo_pairs
    JOIN photos AS one ON one.id = one_id AND one.trash_id IS NULL
    JOIN photos AS other ON other.id = other_id AND other.trash_id IS NULL
    WHERE photo_pairs.owner_id = ${ownerID} AND dismissed_at IS NULL ORDER BY one_id, other_id LIMIT ${maxPairs}`);
  const groupOf = new Map<number, number[]>();
  for (const { one_id: one, other_id: other } of pairs) {
    const [group, joining] = [groupOf.get(one) ?? [one], groupOf.get(other) ?? [other]];
    if (group === joining) continue;
    const [large, small] = group.length < joining.length ? [joining, group] : [group, joining];
    large.push(...small);
    for (const id of large === group ? [one, ...small] : [other, ...small]) groupOf.set(id, large);
  }
  return [...new Set(groupOf.values())].toSorted((one, other) => Math.max(...other) - Math.max(...one));
}

async function countAlbums(db: Reader, caller: Caller, ids: number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all<{ photo_id: number; count: number }>(sql`
    SELECT photo_id, count(*) AS count FROM album_photos JOIN albums ON albums.id = album_photos.album_id
    WHERE photo_id IN (${list(ids)}) AND ${isOwnAlbum(caller)} GROUP BY photo_id`);
  return new Map(rows.map(({ photo_id, count }) => [photo_id, count]));
}

const isOwnAlbum = ({ id }: Caller): Sql => sql`albums.owner_id + 0 = ${id} AND albums.trash_id IS NULL`;

type Copy = { photo: Photo; albumCount: number };

function compareCopies(one: Copy, other: Copy): number {
  const [better, worse] = [other, one].map(ranksOf) as [number[], number[]];
  for (const [index, rank] of better.entries()) if (rank !== worse[index]) return rank - (worse[index] as number);
  return one.photo.id - other.photo.id;
}

/** What counts first comes first; a higher number is better. */
const ranksOf = ({ photo, albumCount }: Copy): number[] => [
  photo.width * photo.height,
  [
    albumCount > 0,
    photo.isFavourite,
    !isFileName(photo.title, photo.file?.name ?? null),
    photo.description !== "",
    photo.altText !== "",
    photo.tags.length > 0,
  ].filter(Boolean).length,
  photo.file?.size ?? 0,
];
