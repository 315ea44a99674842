import { z } from "zod";
import { invalid, missing, Problem } from "../../platform/errors.ts";
import { detectContentType } from "../../content/files/content-type.ts";
import type { Intake } from "../../content/files/intake.ts";
import { checkName } from "../../content/files/names.ts";
import { isImage } from "../../core/images/image.ts";
import type { Database } from "../../platform/database/database.ts";
import { type Exchange, noteProgress } from "../../platform/http/exchange.ts";
import { readUploadForm } from "../../platform/http/multipart.ts";
import type { Caller } from "../../platform/http/route.ts";
import { line, validate } from "../../platform/http/validate.ts";
import { createRateLimit } from "../../platform/limits/rate-limit.ts";
import type { Incoming } from "../../core/storage/incoming.ts";
import { findUser } from "../../core/users/store.ts";
import type { OpenedLink } from "./open-link.ts";
import { checkSpace, insertWaiting, uploadRefused, type Waiting } from "./waiting.ts";

/** A folder of pictures at once, then one every two seconds. */
const rate = { perSecond: 1 / 2, burst: 60 };
const maxBytes = 2 ** 28;

const guestName = line(100).meta({ description: "Who sends it, for the owner of the link.", example: "Ada" });

export const guestUploadSchema = z
  .object({
    file: z.string().meta({ format: "binary", description: "The picture or video. Its filename is kept." }),
    guestName: guestName.optional(),
  })
  .meta({ id: "GuestUpload" });

export type ReceivePicture = (exchange: Exchange, link: OpenedLink) => Promise<Waiting>;

/** Receives a picture from a guest. Its bytes count towards the quota of the link's owner. */
export function createPictureReceiver(db: Database, intake: Intake): ReceivePicture {
  const limit = createRateLimit(rate);

  return async (exchange, { share, shareable }) => {
    if (!share.allowUpload || !shareable.shared.uploads) throw uploadRefused();
    const verdict = limit.take(String(share.id));
    if (!verdict.allowed) throw tooManyUploads(verdict.retryAfterMs);
    await checkSpace(db, share.id, 0);
    const caller = await findOwner(db, share.ownerID);
    const fields: Record<string, string> = {};
    await using received = await readUploadForm<Incoming & { filename: string }>(exchange, maxBytes, {
      fileField: "file",
      async field(name, value) {
        // A form of a browser also sends the fields that were left empty.
        if (value !== "") fields[name] = value;
      },
      async file(filename, stream) {
        const target = { path: [], name: checkName(filename, "file"), onConflict: "rename" as const };
        const source = { stream, moved: () => noteProgress(exchange) };
        const incoming = await intake.receive(source, { caller, target }).catch(hideQuota);
        return { ...incoming, filename: target.name };
      },
      drop: async (file) => file[Symbol.asyncDispose](),
    });
    if (!received) throw invalid(`"file" is required: send the picture as a form field of that name.`, "file");
    const { filename: name, sha256, size, head } = received;
    const contentType = detectContentType(head, name);
    if (!isImage(contentType) && !contentType.startsWith("video/")) {
      throw invalid("Only pictures and videos can be sent through this link.", "file");
    }
    const sent = validate(z.object({ guestName: guestName.optional() }), fields);
    const waiting = { name, guestName: sent.guestName ?? null, sha256, size, contentType };
    return await received.store((tx) => insertWaiting(tx, share, waiting));
  };
}

/** How much storage the owner has and uses is not told to guests. */
function hideQuota(error: unknown): never {
  const isQuota = error instanceof Problem && error.code === "quota";
  throw isQuota ? invalid("There is no space for this picture: tell the owner of the link.", "file") : error;
}

/** As the one who stores the file. */
export async function findOwner(db: Database, id: number): Promise<Caller> {
  const user = await findUser(db, id);
  if (!user) throw missing("such link, or it has expired");
  return { id, username: user.username, role: user.role, tokenID: "" };
}

function tooManyUploads(milliseconds: number): Problem {
  const seconds = Math.ceil(milliseconds / 1000);
  return new Problem("limited", `Too many pictures at once: wait ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  });
}
