import { z } from "zod";
import { invalid, missing } from "../../platform/errors.ts";
import type { Intake } from "../../content/files/intake.ts";
import { parsePath } from "../../content/files/names.ts";
import type { Images } from "../../core/images/read.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Database } from "../../platform/database/database.ts";
import { text } from "../../platform/http/validate.ts";
import { keepsOriginalsPrivate } from "../../core/settings/store.ts";
import type { Incoming } from "../../core/storage/incoming.ts";
import { visibilitySchema } from "../../core/records/visibility.ts";
import { findOwner } from "./receive.ts";
import type { Shareable, StoredShare } from "./share.ts";
import { getWaiting, removeWaiting, type Waiting } from "./waiting.ts";

const headBytes = 4096;

export const approvalSchema = z
  .object({
    path: text(20_000).default("/").meta({
      description:
        "The directory for the file of a picture in an album; created if it does not exist. A picture that was sent to a directory is stored there.",
      example: "/2026",
    }),
    byYear: z.boolean().default(false).meta({
      description:
        "Whether the file of a picture in an album goes into a directory of `path` that is named after the year in which it was taken, or else after the current year.",
      example: false,
    }),
    visibility: visibilitySchema.default("private").meta({
      description:
        "Who can see the file and the photo. A private one is also seen through the link. If the settings keep originals private, the file of a photo is private.",
      example: "private",
    }),
  })
  .meta({ id: "Approval" });

export const approvedSchema = z
  .object({ fileID: z.int(), photoID: z.int().nullable().meta({ description: "Null for a directory.", example: 1 }) })
  .meta({ id: "Approved" });

type Approved = z.output<typeof approvedSchema>;

/** What is approved, and where it goes. `transaction` does it. */
type Approval = z.output<typeof approvalSchema> & { uploadID: number; transaction: Database["transaction"] };

export type Approve = (share: StoredShare, shareable: Shareable, approval: Approval) => Promise<Approved>;

type Deps = { db: Database; blobs: Blobs; images: Images; intake: Intake };

/** Makes a picture that waits a file of the link's owner, and adds it to what is shared. */
export function createApproval({ db, blobs, images, intake }: Deps): Approve {
  return async (share, { shared: { uploads = {} } }, { uploadID, path, byYear, visibility, transaction }) => {
    const waiting = await getWaiting(db, share.id, uploadID);
    const owner = await findOwner(db, share.ownerID);
    const { name } = waiting;
    const picture = uploads.add ? await readPicture(waiting) : null;
    const directory = uploads.findPath ? await uploads.findPath(db, owner, share.recordID) : path;
    const year = picture && byYear ? [String(new Date(picture.takenAt ?? Date.now()).getUTCFullYear())] : [];
    // Photos show pictures of private files.
    const isOriginal = uploads.add !== undefined && (await keepsOriginalsPrivate(db));
    const target = {
      path: [...parsePath(directory), ...year],
      name,
      onConflict: "rename" as const,
      visibility: isOriginal ? ("private" as const) : visibility,
    };
    await using incoming = await open(waiting, owner.id, transaction);
    return await intake.storeWith(incoming, { caller: owner, target }, async (tx, store) => {
      // It may have been approved or deleted since.
      await getWaiting(tx, share.id, uploadID, tx.forUpdate);
      const { id: fileID } = await store();
      const photoID =
        uploads.add && picture
          ? await uploads.add(tx, owner, share.recordID, { fileID, name, visibility, ...picture.size })
          : null;
      await removeWaiting(tx, uploadID);
      return { fileID, photoID };
    });
  };

  async function readPicture({ sha256, contentType, name }: Waiting) {
    const image = await images.read({ sha256, contentType, name });
    if (image?.width && image.height) {
      return { size: { width: image.width, height: image.height }, takenAt: image.takenAt };
    }
    throw invalid(`"${name}" cannot be shown as a photo. ${image?.failure ?? ""}`.trim());
  }

  /** The bytes are stored already, and count towards the owner's quota. */
  async function open(
    { sha256, size }: Waiting,
    ownerID: number,
    transaction: Database["transaction"],
  ): Promise<Incoming> {
    const bytes = await blobs.open(sha256, { start: 0, end: Math.min(headBytes, size) });
    if (!bytes) throw missing("content for this upload: its bytes are missing from the storage");
    return {
      sha256,
      size,
      head: await new Response(bytes).bytes(),
      reservedFor: ownerID,
      store: (write) => transaction(write),
      async [Symbol.asyncDispose]() {},
    };
  }
}
