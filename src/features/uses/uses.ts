import { z } from "zod";
import type { Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Viewer } from "../../platform/http/route.ts";
import type { FindUses, Used } from "../../core/records/use.ts";

/** How many uses of each kind are listed. */
const maxUses = 100;

export const fileUsesSchema = z
  .object({
    uses: z.array(
      z.object({
        kind: z.string().meta({ description: "`photo`, `post`, `album`, `share` or `settings`.", example: "photo" }),
        id: z.int().nullable().meta({ description: "Null for the settings of the site.", example: 4 }),
        name: z.string().meta({
          description: "Its title or name; for a share link, the kind of record that it leads to.",
          example: "Harbour at dusk",
        }),
        as: z.string().meta({
          description:
            "`picture` of a photo, `embed` or `cover` of a post, `entry` of an album, `link`, or `icon`, `logo` or `cover` of the site.",
          example: "picture",
        }),
        of: z
          .object({ kind: z.string().meta({ example: "file" }), id: z.int() })
          .meta({ description: "What is used: the file, a directory that contains it, or a photo of it." }),
      }),
    ),
    isComplete: z.boolean().meta({ description: "False if there may be more uses than those that are listed." }),
  })
  .meta({ id: "FileUses", description: "Where a file is used, as far as you may see it." });

type FileUses = z.output<typeof fileUsesSchema>;

/** What uses the file, and what uses the photos of it. */
export async function listUses(db: Reader, viewer: Viewer, fileID: number, finders: FindUses[]): Promise<FileUses> {
  const find = async (used: Used) => {
    if (used.ids.length === 0) return [];
    const found = await Promise.all(finders.map((findUses) => findUses(db, viewer, used, maxUses + 1)));
    return found.map((uses) => ({ used, uses }));
  };
  const [ofFile, ofDirectories] = await Promise.all([
    find({ kind: "file", ids: [fileID] }),
    find({ kind: "directory", ids: await findDirectories(db, fileID) }),
  ]);
  const photos = ofFile.flatMap(({ uses }) => uses.filter(({ kind }) => kind === "photo").slice(0, maxUses));
  const ofPhotos = await find({ kind: "photo", ids: photos.flatMap(({ id }) => id ?? []) });
  const all = [...ofFile, ...ofDirectories, ...ofPhotos];
  return {
    uses: all.flatMap(({ used, uses }) =>
      uses.slice(0, maxUses).map(({ usedID, ...use }) => ({ ...use, of: { kind: used.kind, id: usedID } })),
    ),
    isComplete: all.every(({ uses }) => uses.length <= maxUses),
  };
}

/** The directories that contain the file. */
async function findDirectories(db: Reader, fileID: number): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    WITH RECURSIVE above (id, parent_id) AS (
      SELECT id, parent_id FROM files WHERE id = (SELECT parent_id FROM files WHERE id = ${fileID}) UNION
      SELECT files.id, files.parent_id FROM files JOIN above ON files.id = above.parent_id
    )
    SELECT id FROM above`);
  return rows.map(({ id }) => id);
}
