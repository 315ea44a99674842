import { z } from "zod";
import { missing } from "../../platform/errors.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { type Width, widths } from "../../core/images/image.ts";
import type { Images } from "../../core/images/read.ts";
import type { Variants } from "../../core/images/variants.ts";
import { getEntry } from "../../core/trash/store.ts";
import { trashableFiles } from "../files/trash.ts";

/** Of photos whose files belong to the same person, because nobody shows those of others. */
export async function findTrashedPictures(db: Reader, ids: number[]): Promise<Map<number, string>> {
  const rows = await db.all<{ id: number; sha256: string | null }>(sql`
    SELECT photos.id, coalesce(posters.sha256, images.sha256) AS sha256 FROM photos
    JOIN files ON files.id = photos.file_id AND files.owner_id = photos.owner_id
    LEFT JOIN images ON images.sha256 = files.sha256 AND images.thumbhash IS NOT NULL
    LEFT JOIN images AS posters ON posters.sha256 = photos.poster_sha256
    WHERE photos.id IN (${list(ids)})`);
  return new Map(rows.flatMap(({ id, sha256 }) => (sha256 === null ? [] : [[id, sha256]])));
}

const finders: Record<string, (db: Reader, ids: number[]) => Promise<Map<number, string>>> = {
  photo: findTrashedPictures,
  ...(trashableFiles.pictures && { file: trashableFiles.pictures }),
};

type Deps = { db: Database; images: Images; variants: Variants; keptDays: number };

/** The picture of a photo or file in the trash. Unlike others, admins included, its owner can still see it. */
export const trashedPictureRoute = ({ db, images, variants, keptDays }: Deps): Route =>
  route({
    method: "GET",
    path: "/api/v1/trash/:id/image",
    name: "readTrashImage",
    tag: "Trash",
    summary: "Read the picture of a deleted photo or file",
    details: "Only its owner can. `image` of an entry is this address.",
    role: "reader",
    limit: "media",
    query: z.object({
      w: z
        .enum(widths.map(String) as [string, ...string[]])
        .default("320")
        .meta({ description: "The width in pixels.", example: "320" }),
    }),
    response: { contentTypes: ["image/jpeg", "image/webp", "image/avif"], description: "The picture" },
    statuses: { 304: "Not modified", 503: "The server is busy with other pictures: try again" },
    async handle({ params, query, caller, exchange }) {
      const { kind, recordID, ownerID } = await getEntry(db, caller, params.id, { keptDays });
      const sha256 = ownerID === caller.id ? (await finders[kind]?.(db, [recordID]))?.get(recordID) : undefined;
      if (sha256 === undefined) throw missing(`picture of entry ${params.id} in the trash`);
      const accept = exchange.request.headers.get("accept");
      const image = await images.readPicture(sha256);
      return variants.find(image, Number(query.w) as Width, { accept, version: String(params.id), known: undefined });
    },
  });
