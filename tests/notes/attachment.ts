import { recordActivity } from "../../src/core/activity/record.ts";
import { missing } from "../../src/platform/errors.ts";
import { contentOf } from "../../src/content/files/content.ts";
import type { Blobs } from "../../src/platform/blobs/blobs.ts";
import type { Database, Queries, Reader } from "../../src/platform/database/database.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { type Caller, isOwnerOrAdmin, type Route, route } from "../../src/platform/http/route.ts";
import { checkQuota } from "../../src/core/storage/quota.ts";
import { receiveBody } from "../../src/core/storage/receive-body.ts";
import { isLive } from "../../src/core/trash/trash.ts";
import { type Note, noteSchema } from "./note.ts";
import { getNote } from "./store.ts";

const path = "/api/v1/notes/:id/attachment";
const tag = "Notes";
const maxBytes = 2 ** 20;
const limit = { maxBytes, sentence: `The attachment is larger than ${maxBytes} bytes.` };

type Deps = { db: Database; blobs: Blobs; quotaBytes: number | null };
type Attached = { sha256: string; size: number };

export function attachmentRoutes({ db, blobs, quotaBytes }: Deps): Route[] {
  return [
    route({
      method: "PUT",
      path,
      name: "attachToNote",
      tag,
      summary: "Attach a file to a note",
      role: "author",
      find: ({ id }, caller) => getNote(db, caller, id),
      may: isOwnerOrAdmin,
      bytes: "application/octet-stream",
      response: noteSchema,
      async handle({ record, caller, exchange, transaction }) {
        const quota = { ownerID: record.ownerID, quotaBytes };
        await using incoming = await receiveBody({ db, blobs, transaction }, exchange, quota, limit);
        return await incoming.store(async (tx) => {
          const note = await setAttachment(tx, caller, record.id, incoming);
          await checkQuota(tx, quota, { isReserved: true });
          return note;
        });
      },
    }),

    route({
      method: "GET",
      path,
      name: "readAttachment",
      tag,
      summary: "Download the file of a note",
      personal: true,
      granted: true,
      response: { contentTypes: ["*/*"], description: "The bytes" },
      async handle({ params, viewer }) {
        const { id } = await getNote(db, viewer, params.id);
        const file = { id, name: `note-${id}`, contentType: null, ...(await getAttached(db, id)) };
        return contentOf(blobs, file, { isDownload: true });
      },
    }),

    route({
      method: "DELETE",
      path,
      name: "detachFromNote",
      tag,
      summary: "Remove the file of a note",
      role: "author",
      find: ({ id }, caller) => getNote(db, caller, id),
      may: isOwnerOrAdmin,
      response: noteSchema,
      async handle({ record, caller, transaction }) {
        return transaction(async (tx) => {
          await getAttached(tx, record.id);
          return setAttachment(tx, caller, record.id, { sha256: null, size: null });
        });
      },
    }),
  ];
}

async function getAttached(db: Reader, id: number): Promise<Attached> {
  const attached = await db.get<Attached>(sql`SELECT sha256, size FROM notes WHERE id = ${id} AND sha256 IS NOT NULL`);
  if (!attached) throw missing(`attachment of note ${id}`);
  return attached;
}

async function setAttachment(
  tx: Queries,
  caller: Caller,
  id: number,
  { sha256, size }: Attached | { sha256: null; size: null },
): Promise<Note> {
  await tx.run(sql`UPDATE notes SET sha256 = ${sha256}, size = ${size} WHERE id = ${id} AND ${isLive}`);
  const note = await getNote(tx, caller, id);
  recordActivity(tx, caller.id, "changed", { kind: "note", ...note, name: note.text });
  return note;
}
