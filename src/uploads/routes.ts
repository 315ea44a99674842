import { z } from "zod";
import { invalid, Problem } from "../errors.ts";
import { presentFile } from "../files/file.ts";
import { findFile } from "../files/store.ts";
import type { Database } from "../platform/database/database.ts";
import { corsHeaders } from "../platform/http/answer.ts";
import { type Caller, type Header, isOwnerOrAdmin, type Route, route } from "../platform/http/route.ts";
import { checkQuota, type StorageLimits } from "../storage/quota.ts";
import { readTarget } from "./finish.ts";
import { checkVersion, isPart, partType, readChecksum, readNumber } from "./protocol.ts";
import { type Receiver, wrongOffset } from "./receive.ts";
import { countUnfinished, getUpload, insertUpload, listUnfinished, type StoredUpload } from "./store.ts";
import { maxParts, maxUnfinished, type Upload, uploadSchema } from "./upload.ts";

const tag = "Uploads";
export const uploadsPath = "/api/v1/uploads";
const onePath = `${uploadsPath}/:id` as const;

const versionHeader: Record<string, Header> = {
  "Tus-Resumable": { description: "The version of the protocol.", example: "1.0.0", required: true },
};
const versionStatus = "`Tus-Resumable` is not 1.0.0";
const checksumHeader: Record<string, Header> = {
  "Upload-Checksum": {
    description: "Of the body: sha1, sha256 or md5, a space, and the checksum in Base64.",
    example: "sha1 C+7Hteo/D9vJXQ3UfzxbwnXaijM=",
  },
};

export function uploadRoutes(db: Database, receiver: Receiver, limits: StorageLimits): Route[] {
  const maxBytes = limits.maxUploadBytes;
  return [
    route({
      method: "POST",
      path: uploadsPath,
      name: "createUpload",
      tag,
      summary: "Begin an upload that can be resumed",
      details:
        "The tus protocol, version 1.0.0. With `Content-Type: application/offset+octet-stream` the body is the first part. `Location` in the answer is where the parts go.",
      role: "author",
      headers: {
        ...versionHeader,
        "Upload-Length": { description: "The size of the file in bytes.", example: "48213", required: true },
        "Upload-Metadata": {
          description:
            "Names, each with a value in Base64: `filename`, and `path` and `onConflict` as the form of `POST /api/v1/files` has them.",
          example: "filename aGFyYm91ci5qcGc=,path LzIwMjY=",
          required: true,
        },
        ...checksumHeader,
      },
      status: 201,
      answer: uploadSchema,
      statuses: {
        409: "Another request sends a part of the same upload",
        412: versionStatus,
        413: "The file is larger than the server accepts",
        460: "The bytes do not have the checksum",
      },
      async handle({ caller, exchange }) {
        const { headers } = exchange.request;
        checkVersion(exchange.request);
        const length = readNumber(headers, "Upload-Length");
        const metadata = headers.get("upload-metadata") ?? "";
        const checksum = readChecksum(headers);
        await readTarget(db, caller, metadata);
        if (length > maxBytes) throw new Problem("oversized", `The file is larger than ${maxBytes} bytes.`);
        const created = await db.transaction(async (tx) => {
          await tx.lock(`uploads of ${caller.id}`);
          if ((await countUnfinished(tx, caller.id)) >= maxUnfinished) {
            throw invalid(`You have ${maxUnfinished} unfinished uploads: finish or delete some first.`);
          }
          await checkQuota(tx, { ownerID: caller.id, quotaBytes: limits.quotaBytes }, { moreBytes: length });
          return insertUpload(tx, { ownerID: caller.id, length, metadata });
        });
        try {
          const hasPart = isPart(headers) || length === 0;
          const part = { checksum, isResumable: false };
          const upload = hasPart ? await receiver.receive(exchange, caller, created, part) : created;
          return await answer(201, caller, upload, { Location: `${uploadsPath}/${upload.id}` });
        } catch (error) {
          // Who is refused, or has gone, never hears where it is.
          await receiver.cancel(created.id);
          throw error;
        }
      },
    }),

    route({
      method: "GET",
      path: uploadsPath,
      name: "listUploads",
      tag,
      summary: "List your unfinished uploads, oldest first",
      details: "Until it is finished, cancelled or expired, each counts towards your quota with its whole `length`.",
      role: "author",
      answer: z.array(uploadSchema),
      handle: async ({ caller }) =>
        Promise.all((await listUnfinished(db, caller.id)).map((upload) => toObject(upload, caller))),
    }),

    route({
      method: "GET",
      path: onePath,
      name: "readUpload",
      tag,
      summary: "Ask how much of an upload has arrived",
      details:
        "`HEAD` is how a client of tus asks before it goes on, at `Upload-Offset`. `Upload-File-ID` is the id of the file, once it is made.",
      limit: "media",
      role: "author",
      find: ({ id }) => getUpload(db, id),
      may: isOwnerOrAdmin,
      answer: uploadSchema,
      statuses: { 412: versionStatus },
      async handle({ record, caller, exchange }) {
        checkVersion(exchange.request);
        const isResumed = exchange.request.method === "HEAD";
        const upload = isResumed ? await receiver.resume(exchange, caller, record.id) : record;
        return answer(200, caller, upload, { "Upload-Metadata": upload.metadata });
      },
    }),

    route({
      method: "PATCH",
      path: onePath,
      name: "appendToUpload",
      tag,
      summary: "Send the next part of an upload",
      details:
        "The last part makes the file, whose id is in `Upload-File-ID`. With a checksum a part is kept only if it is whole; without one, as much of it as came.",
      limit: "media",
      role: "author",
      headers: {
        ...versionHeader,
        "Upload-Offset": {
          description: "Where the part begins: where those before it end.",
          example: "0",
          required: true,
        },
        ...checksumHeader,
      },
      find: ({ id }) => getUpload(db, id),
      may: isOwnerOrAdmin,
      bytes: partType,
      status: 204,
      answer: { contentTypes: [], description: "`Upload-Offset` is where the next part begins." },
      statuses: {
        409: "The part does not begin where the one before it ends, or another one is being received",
        412: versionStatus,
        413: "The part is longer than what is missing",
        415: `\`Content-Type\` is not ${partType}`,
        460: "The bytes do not have the checksum",
      },
      async handle({ record, caller, exchange }) {
        const { headers } = exchange.request;
        checkVersion(exchange.request);
        if (!isPart(headers)) throw new Problem("unsupported", `Send a part with Content-Type: ${partType}.`);
        const checksum = readChecksum(headers);
        if (readNumber(headers, "Upload-Offset") !== record.offset) throw wrongOffset(record);
        if (record.parts >= maxParts) throw invalid(`The upload has ${maxParts} parts: begin again with larger ones.`);
        return answer(204, caller, await receiver.receive(exchange, caller, record, { checksum, isResumable: true }));
      },
    }),

    route({
      method: "DELETE",
      path: onePath,
      name: "deleteUpload",
      tag,
      summary: "Give an upload up",
      details: "A file that was made of it stays.",
      role: "author",
      headers: versionHeader,
      find: ({ id }) => getUpload(db, id),
      may: isOwnerOrAdmin,
      status: 204,
      answer: { contentTypes: [], description: "It is gone." },
      statuses: { 412: versionStatus },
      async handle({ record, exchange }) {
        checkVersion(exchange.request);
        await receiver.cancel(record.id);
        return new Response(null, { status: 204, headers: corsHeaders });
      },
    }),
  ];

  async function answer(
    status: number,
    caller: Caller,
    upload: StoredUpload,
    more: Record<string, string> = {},
  ): Promise<Response> {
    const headers = {
      "Upload-Offset": String(upload.offset),
      "Upload-Length": String(upload.length),
      "Upload-Expires": new Date(upload.expiresAt).toUTCString(),
      ...(upload.fileID !== null && { "Upload-File-ID": String(upload.fileID) }),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...corsHeaders,
      ...more,
    };
    if (status === 204) return new Response(null, { status, headers });
    return Response.json(await toObject(upload, caller), { status, headers });
  }

  async function toObject(
    { id, length, offset, fileID, ownerID, ...upload }: StoredUpload,
    caller: Caller,
  ): Promise<Upload> {
    const file = fileID === null ? null : await findFile(db, fileID);
    return {
      id,
      length,
      offset,
      file: file && presentFile(file, caller),
      ownerID,
      createdAt: new Date(upload.createdAt).toISOString(),
      expiresAt: new Date(upload.expiresAt).toISOString(),
    };
  }
}
